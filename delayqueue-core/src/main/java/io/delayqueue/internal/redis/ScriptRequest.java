// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.jspecify.annotations.Nullable;

/**
 * A script with its keys and arguments.
 *
 * @param shard whose keys they are; {@code null} for a key that is no shard's
 * @param what the call, for messages: names the queue and the id
 */
public record ScriptRequest(Script script, @Nullable ShardKeys shard, byte[][] keys, String what, byte[][] args) {

    /** A script on keys of a shard. */
    public static ScriptRequest of(Script script, ShardKeys shard, String what, byte[]... args) {
        return new ScriptRequest(script, shard, shard.of(script), what, args);
    }

    /** A script on a key that is not a shard's. */
    public static ScriptRequest of(Script script, String key, String what, byte[]... args) {
        return new ScriptRequest(script, null, new byte[][] {RedisBytes.bytes(key)}, what, args);
    }

    /** Returns the key that says which server the call goes to. */
    public byte[] key() {
        return keys[0];
    }
}
