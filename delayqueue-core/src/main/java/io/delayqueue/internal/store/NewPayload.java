// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.EncodedPayload;
import io.delayqueue.annotation.TaskHeaders;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The payload that a waiting task is given in the place of the one that it has.
 *
 * @param type of the payload, by which its handler is found; empty for one without a type
 */
public record NewPayload(EncodedPayload payload, String type) {

    /** The headers of a task that is given this payload: with its type and no other one. */
    public Map<String, String> headers(Map<String, String> before) {
        if (before.getOrDefault(TaskHeaders.TYPE, "").equals(type)) {
            return before;
        }
        Map<String, String> headers = new LinkedHashMap<>(before);
        if (type.isEmpty()) {
            headers.remove(TaskHeaders.TYPE);
        } else {
            headers.put(TaskHeaders.TYPE, type);
        }
        return headers;
    }
}
