// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.SendPermit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

/** Runs scripts. Safe for use by many threads. */
final class ScriptRunner {

    private final RedisConnections connections;
    private final WaitConnections waitConnections;
    private final Duration budget;
    private final RedisFailures failures = new RedisFailures();
    private final ScriptLoads loads = new ScriptLoads();

    /**
     * @param budget the time of a call
     * @param replicasTimeout how long to wait for replicas
     */
    ScriptRunner(RedisConnections connections, Duration budget, Duration replicasTimeout) {
        this.connections = connections;
        this.waitConnections = new WaitConnections(connections, replicasTimeout);
        this.budget = budget;
    }

    /**
     * Runs a script on keys of a shard.
     *
     * @param what the call, for messages: names the queue and the id
     */
    <T> CompletableFuture<T> run(Script script, ShardKeys shard, String what, byte[]... args) {
        return run(ScriptRequest.of(script, shard, what, args), new SendPermit());
    }

    /** Runs a script on a key that is not a shard's. */
    <T> CompletableFuture<T> run(Script script, String key, String what, byte[]... args) {
        byte[][] keys = {RedisBytes.bytes(key)};
        return run(new ScriptRequest(script, null, keys, what, args), new SendPermit());
    }

    /**
     * Runs a script and counts the replicas that have what it wrote. Waits for that many, but not for ever. If the
     * connection broke before they were counted, the script runs again, if its answer stays the same: so a schedule is
     * stored anew should it have been lost.
     *
     * @param replicas 0 for none
     */
    <T> CompletableFuture<Replicated<T>> run(
            int replicas, Script script, ShardKeys shard, String what, byte[]... args) {
        return run(replicas, script, shard, what, new SendPermit(), args);
    }

    /**
     * Runs a script and counts the replicas that have what it wrote, unless its caller waits no longer before it is sent.
     *
     * @param permit taken each time that it is sent
     */
    <T> CompletableFuture<Replicated<T>> run(
            int replicas, Script script, ShardKeys shard, String what, SendPermit permit, byte[]... args) {
        ScriptRequest request = ScriptRequest.of(script, shard, what, args);
        ScriptCall<T> call = (replicas == 0)
                ? new ScriptCall<>(request, this, connections::shared, permit)
                : new ScriptCall<>(request, this, () -> waitConnections.to(replicas, request.key()), permit);
        call.attempt();
        return call.result().thenApply(answer -> new Replicated<>(answer, call.replicas()));
    }

    private <T> CompletableFuture<T> run(ScriptRequest request, SendPermit permit) {
        ScriptCall<T> call = new ScriptCall<>(request, this, connections::shared, permit);
        call.attempt();
        return call.result();
    }

    Duration budget() {
        return budget;
    }

    RedisFailures failures() {
        return failures;
    }

    ScheduledExecutorService timer() {
        return connections.timer();
    }

    boolean noteUnsent(byte[] key) {
        return connections.noteUnsent(key);
    }

    void noteAnswer(byte[] key) {
        connections.noteAnswer(key);
    }

    ScriptLoads loads() {
        return loads;
    }

    ScriptLoads.Load load(ScriptRequest request) {
        return new ScriptLoads.Load(connections.serverOf(request.key()), request.script());
    }
}
