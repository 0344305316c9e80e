// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

/** Runs scripts on the library's own connections. Thread-safe. */
public final class ScriptRunner implements Scripts {

    private final RedisConnections connections;
    private final WaitConnections waitConnections;
    private final Duration budget;
    private final RedisFailures failures = new RedisFailures();
    private final ScriptLoads loads = new ScriptLoads();

    /**
     * @param budget maximum time of a call
     * @param replicasTimeout how long to wait for replicas
     */
    public ScriptRunner(RedisConnections connections, Duration budget, Duration replicasTimeout) {
        this.connections = connections;
        this.waitConnections = new WaitConnections(connections, replicasTimeout);
        this.budget = budget;
    }

    @Override
    public <T> CompletableFuture<T> run(ScriptRequest request) {
        ScriptCall<T> call = new ScriptCall<>(request, this, connections::shared, new SendPermit());
        call.attempt();
        return call.result();
    }

    @Override
    public <T> CompletableFuture<Replicated<T>> run(int replicas, ScriptRequest request, SendPermit permit) {
        ScriptCall<T> call = (replicas == 0)
                ? new ScriptCall<>(request, this, connections::shared, permit)
                : new ScriptCall<>(request, this, () -> waitConnections.to(replicas, request.key()), permit);
        call.attempt();
        return call.result().thenApply(answer -> new Replicated<>(answer, call.replicas()));
    }

    @Override
    public String serverOf(ShardKeys shard) {
        return connections.serverOf(shard.of(ShardKey.INDEX));
    }

    @Override
    public RedisFailures failures() {
        return failures;
    }

    Duration budget() {
        return budget;
    }

    ScheduledExecutorService timer() {
        return connections.timer();
    }

    boolean noteUnsent(byte[] key, Throwable error) {
        return connections.noteUnsent(key, error);
    }

    void noteRefusal(byte[] key, Throwable reply) {
        connections.noteRefusal(key, reply);
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
