// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import java.util.concurrent.CompletableFuture;

/** Runs scripts in Redis. Safe for use by many threads; no call blocks. */
public interface Scripts {

    /** Runs a script. */
    <T> CompletableFuture<T> run(ScriptRequest request);

    /**
     * Runs a script and counts the replicas that have what it wrote. Waits for that many, but not for ever. If the
     * connection broke before they were counted, the script runs again, if its answer stays the same: so a schedule is
     * stored anew should it have been lost.
     *
     * @param replicas 0 for none
     * @param permit taken each time that it is sent; once it is withdrawn nothing is
     */
    <T> CompletableFuture<Replicated<T>> run(int replicas, ScriptRequest request, SendPermit permit);

    /** Names the server that has this shard now, as far as is known, or else {@link RedisConnections#ONLY_SERVER}. */
    String serverOf(ShardKeys shard);

    /** Counts the calls that Redis did not answer. */
    RedisFailures failures();
}
