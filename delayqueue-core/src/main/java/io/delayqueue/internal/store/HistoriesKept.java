// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.redis.RedisBytes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/**
 * The argument that tells scripts what to write to histories: the number of entries to keep, and the name of this
 * process.
 */
final class HistoriesKept {

    private static final byte[] NONE = new byte[0];

    private final ToIntFunction<String> lengths;
    private final Map<String, byte[]> arguments = new ConcurrentHashMap<>();

    /** @param lengths entries per shard of each queue; 0 for none */
    HistoriesKept(ToIntFunction<String> lengths) {
        this.lengths = lengths;
    }

    /** Returns the argument for a shard; empty if its queue has no history. */
    byte[] of(Shard shard) {
        return arguments.computeIfAbsent(shard.queue(), this::argument);
    }

    private byte[] argument(String queue) {
        int length = lengths.applyAsInt(queue);
        return length == 0 ? NONE : RedisBytes.bytes(length + " " + ProcessName.OWN);
    }
}
