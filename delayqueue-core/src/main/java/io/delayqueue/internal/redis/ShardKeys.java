// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import java.util.Arrays;

/** The keys of one shard, as bytes. All have the same hash tag and are therefore in one slot of a Redis Cluster. */
public final class ShardKeys {

    public final byte[] wakeChannel;
    public final byte[] shardNumber;
    private final byte[][] keys;

    ShardKeys(String shardPrefix, String wakeChannel, int shardNumber) {
        this.wakeChannel = bytes(wakeChannel);
        this.shardNumber = bytes(shardNumber);
        this.keys = Arrays.stream(ShardKey.values())
                .map(key -> bytes(shardPrefix + key.text()))
                .toArray(byte[][]::new);
    }

    /** Returns any key of the shard; all its keys are on one server. */
    public byte[] any() {
        return keys[0];
    }

    byte[] of(ShardKey key) {
        return keys[key.ordinal()];
    }

    byte[][] of(Script script) {
        byte[][] taken = new byte[script.shardKeys().length][];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = of(script.shardKeys()[i]);
        }
        return taken;
    }
}
