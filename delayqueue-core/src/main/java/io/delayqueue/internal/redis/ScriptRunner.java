// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Runs scripts on the library's own connections. Thread-safe and non-blocking. */
public class ScriptRunner {

    private final RedisConnections connections;
    private final WaitConnections waitConnections;
    private final Duration budget;
    private final RedisFailures failures = new RedisFailures();
    /**
     * The scripts whose source is being sent. A server that has lost its scripts refuses all pending calls. One of
     * these calls then sends the source, and the others wait for it.
     */
    private final ConcurrentMap<Load, CompletableFuture<Void>> loads = new ConcurrentHashMap<>();

    /**
     * @param budget maximum time of a call
     * @param replicasTimeout how long to wait for replicas
     */
    public ScriptRunner(RedisConnections connections, Duration budget, Duration replicasTimeout) {
        this.connections = connections;
        this.waitConnections = new WaitConnections(connections, replicasTimeout);
        this.budget = budget;
    }

    public <T> CompletableFuture<T> run(ScriptRequest request) {
        ScriptCall<T> call = new ScriptCall<>(request, this, connections::shared, new SendPermit());
        call.attempt();
        return call.result();
    }

    /**
     * Runs a script and counts the replicas that have its changes. Waits for the given number, for a limited time. If
     * the connection broke before the replicas were counted, the script runs again, provided that its second reply
     * would be the same. A schedule that was lost is then stored again.
     *
     * @param replicas 0 for none
     * @param permit the permit, taken each time before the script is sent; once it is withdrawn, nothing is sent
     */
    public <T> CompletableFuture<Replicated<T>> run(int replicas, ScriptRequest request, SendPermit permit) {
        ScriptCall<T> call = (replicas == 0)
                ? new ScriptCall<>(request, this, connections::shared, permit)
                : new ScriptCall<>(request, this, () -> waitConnections.to(replicas, request.key()), permit);
        call.attempt();
        return call.result().thenApply(answer -> new Replicated<>(answer, call.replicas()));
    }

    /** Returns the server that has this key now, as far as is known, or else {@link RedisConnections#ONLY_SERVER}. */
    public String serverOf(byte[] key) {
        return connections.serverOf(key);
    }

    public RedisFailures failures() {
        return failures;
    }

    Duration budget() {
        return budget;
    }

    RedisConnections connections() {
        return connections;
    }

    ConcurrentMap<Load, CompletableFuture<Void>> loads() {
        return loads;
    }

    Load load(ScriptRequest request) {
        return new Load(connections.serverOf(request.key()), request.script());
    }

    record Load(String server, Script script) {}
}
