// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Map;

/**
 * The contents of a task.
 *
 * @param contentType media type of the payload
 * @param headers the headers of the task, including those that the library and a tracer have added
 * @param payload encoded bytes; not copied, so do not modify them
 */
public record TaskContent(String contentType, Map<String, String> headers, byte[] payload) {

    /** Returns only the sizes, because payloads and headers must not be logged. */
    @Override
    public String toString() {
        return "TaskContent[" + contentType + ", " + headers.size() + " headers, " + payload.length + " bytes]";
    }
}
