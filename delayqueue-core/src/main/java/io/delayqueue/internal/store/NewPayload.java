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
 * @param version of the payload; 0 for one without a version
 */
public record NewPayload(EncodedPayload payload, String type, int version) {

    /** The same, without a version. */
    public NewPayload(EncodedPayload payload, String type) {
        this(payload, type, 0);
    }

    /** The headers of a task that is given this payload: with its type and version and no other ones. */
    public Map<String, String> headers(Map<String, String> before) {
        Map<String, String> headers = new LinkedHashMap<>(before);
        put(headers, TaskHeaders.TYPE, type);
        put(headers, TaskHeaders.VERSION, versionText());
        return headers;
    }

    /** The version as a header has it; empty for none. */
    String versionText() {
        return (version == 0) ? "" : Integer.toString(version);
    }

    private static void put(Map<String, String> headers, String name, String value) {
        if (value.isEmpty()) {
            headers.remove(name);
        } else {
            headers.put(name, value);
        }
    }
}
