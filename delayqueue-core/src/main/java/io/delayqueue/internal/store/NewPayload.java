// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.EncodedPayload;
import io.delayqueue.annotation.TaskHeaders;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A new payload for a waiting task.
 *
 * @param type type of the payload, which selects its handler; empty for none
 * @param version of the payload; 0 for one without a version
 */
public record NewPayload(EncodedPayload payload, String type, int version) {

    /** The same, without a version. */
    public NewPayload(EncodedPayload payload, String type) {
        this(payload, type, 0);
    }

    /** Returns the headers of a task that gets this payload, with only its type and version. */
    public Map<String, String> headers(Map<String, String> before) {
        Map<String, String> headers = new LinkedHashMap<>(before);
        put(headers, TaskHeaders.TYPE, type);
        put(headers, TaskHeaders.VERSION, versionText());
        return headers;
    }

    /** Returns the version in header form; empty for none. */
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
