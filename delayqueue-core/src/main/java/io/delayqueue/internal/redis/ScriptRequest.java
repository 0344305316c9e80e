// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import org.jspecify.annotations.Nullable;

/**
 * A script with its keys and arguments.
 *
 * @param shard the shard of the keys; {@code null} for a key that does not belong to a shard
 * @param what describes the call in messages: the queue and the id
 */
public record ScriptRequest(Script script, @Nullable ShardKeys shard, byte[][] keys, String what, byte[][] args) {

    /** Returns a request for a script on keys of a shard. */
    public static ScriptRequest of(Script script, ShardKeys shard, String what, byte[]... args) {
        return new ScriptRequest(script, shard, shard.of(script), what, args);
    }

    /** Returns a request for a script on a key that does not belong to a shard. */
    public static ScriptRequest of(Script script, String key, String what, byte[]... args) {
        return new ScriptRequest(script, null, new byte[][] {RedisBytes.bytes(key)}, what, args);
    }

    /** Returns whether the reply to a second run may replace a lost first reply. */
    boolean answersAgain() {
        return script.answersAgain(args);
    }

    public byte[] key() {
        return keys[0];
    }
}
