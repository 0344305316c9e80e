// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskIds;
import java.nio.charset.StandardCharsets;

/**
 * Chooses the shard of an id. If the id contains a key or a group, only the key or group determines the shard ({@link
 * TaskIds#homeOf}).
 *
 * <p>Uses jump consistent hash (John Lamping and Eric Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm", 2014)
 * over the 64-bit FNV-1a hash of the key's bytes, finished with the 64-bit mixer of MurmurHash3. It distributes evenly,
 * and when the number of shards grows from M to N, only (N - M) / N of the keys move. The algorithm is part of the
 * stored format and must never change.
 */
final class ShardRouter {

    private ShardRouter() {}

    /** Returns 0 to {@code shards} - 1. */
    static int shardOf(String id, int shards) {
        return (shards == 1) ? 0 : jump(hash(TaskIds.homeOf(id)), shards);
    }

    private static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return hash ^ (hash >>> 33);
    }

    private static int jump(long key, int buckets) {
        long bucket = -1;
        long next = 0;
        long state = key;
        while (next < buckets) {
            bucket = next;
            state = state * 2862933555777941757L + 1;
            next = (long) ((bucket + 1) * ((double) (1L << 31) / ((state >>> 33) + 1)));
        }
        return (int) bucket;
    }
}
