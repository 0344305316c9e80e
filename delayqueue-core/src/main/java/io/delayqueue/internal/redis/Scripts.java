// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import java.util.concurrent.CompletableFuture;

/** Runs scripts in Redis. Safe for use by many threads; no call blocks. */
public interface Scripts {

    /**
     * Runs a script, unless its caller waits no longer before it is sent.
     *
     * @param permit taken each time that it is sent
     */
    <T> CompletableFuture<T> run(ScriptRequest request, SendPermit permit);

    /**
     * Runs a script and counts the replicas that have what it wrote. Waits for that many, but not for ever. If the
     * connection broke before they were counted, the script runs again, if its answer stays the same: so a schedule is
     * stored anew should it have been lost.
     *
     * @param replicas 0 for none
     * @param permit taken each time that it is sent
     */
    <T> CompletableFuture<Replicated<T>> run(int replicas, ScriptRequest request, SendPermit permit);

    /** Names the server that has this shard now, as far as is known, or else {@link RedisConnections#ONLY_SERVER}. */
    String serverOf(ShardKeys shard);

    /** Counts the calls that Redis did not answer. */
    RedisFailures failures();

    /**
     * Runs a script on keys of a shard.
     *
     * @param what the call, for messages: names the queue and the id
     */
    default <T> CompletableFuture<T> run(Script script, ShardKeys shard, String what, byte[]... args) {
        return run(ScriptRequest.of(script, shard, what, args), new SendPermit());
    }

    /** Runs a script on a key that is not a shard's. */
    default <T> CompletableFuture<T> run(Script script, String key, String what, byte[]... args) {
        byte[][] keys = {RedisBytes.bytes(key)};
        return run(new ScriptRequest(script, null, keys, what, args), new SendPermit());
    }

    /** Runs a script on keys of a shard and counts the replicas. */
    default <T> CompletableFuture<Replicated<T>> run(
            int replicas, Script script, ShardKeys shard, String what, byte[]... args) {
        return run(replicas, script, shard, what, new SendPermit(), args);
    }

    /** Runs a script on keys of a shard and counts the replicas, unless its caller waits no longer. */
    default <T> CompletableFuture<Replicated<T>> run(
            int replicas, Script script, ShardKeys shard, String what, SendPermit permit, byte[]... args) {
        return run(replicas, ScriptRequest.of(script, shard, what, args), permit);
    }
}
