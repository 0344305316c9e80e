// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.util.Map;

/**
 * What a task carries: everything but its identity and its time.
 *
 * @param contentType media type of the payload
 * @param headers the user's headers
 * @param payload encoded bytes; not copied, so nobody may write to them
 */
public record TaskContent(String contentType, Map<String, String> headers, byte[] payload) {

    /** Sizes only: payload and headers belong in no log. */
    @Override
    public String toString() {
        return "TaskContent[" + contentType + ", " + headers.size() + " headers, " + payload.length + " bytes]";
    }
}
