// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a task carries: everything but its identity and its time.
 *
 * @param contentType media type of the payload
 * @param headers the user's headers
 * @param payload encoded bytes; not copied, so nobody may write to them
 * @param shardKey what chose the shard of a task that an earlier version stored under an id without it; null where the
 *     task's id does
 */
public record TaskContent(
        String contentType,
        Map<String, String> headers,
        byte[] payload,
        @Nullable String shardKey) {

    /** What a task carries whose id chooses its shard, as that of every task which this version stores. */
    public TaskContent(String contentType, Map<String, String> headers, byte[] payload) {
        this(contentType, headers, payload, null);
    }

    /** Sizes only: payload and headers belong in no log. */
    @Override
    public String toString() {
        return "TaskContent[" + contentType + ", " + headers.size() + " headers, " + payload.length + " bytes]";
    }
}
