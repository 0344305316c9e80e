// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import java.util.concurrent.CompletableFuture;

/** Runs scripts in Redis. Thread-safe and non-blocking. */
public interface Scripts {

    <T> CompletableFuture<T> run(ScriptRequest request);

    /**
     * Runs a script and counts the replicas that have its changes. Waits for the given number, for a limited time. If
     * the connection broke before the replicas were counted, the script runs again, provided that its second reply
     * would be the same. A schedule that was lost is then stored again.
     *
     * @param replicas 0 for none
     * @param permit the permit, taken each time before the script is sent; once it is withdrawn, nothing is sent
     */
    <T> CompletableFuture<Replicated<T>> run(int replicas, ScriptRequest request, SendPermit permit);

    /** Returns the server that has this key now, as far as is known, or else {@link RedisConnections#ONLY_SERVER}. */
    String serverOf(byte[] key);

    RedisFailures failures();
}
