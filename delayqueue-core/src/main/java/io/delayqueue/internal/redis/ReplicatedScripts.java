// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.SendPermit;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Runs scripts on connections of their own, and says how many replicas have what they wrote. */
final class ReplicatedScripts {

    private final WaitConnections lines;
    private final Duration budget;
    private final ScriptRunner scripts;

    ReplicatedScripts(
            LettuceConnectionFactory connectionFactory, Duration budget, Duration patience, ScriptRunner scripts) {
        this.lines = new WaitConnections(connectionFactory, patience);
        this.budget = budget;
        this.scripts = scripts;
    }

    /**
     * Runs a script, and waits until so many replicas have what it wrote, but not for ever. Where the count is not
     * known because the connection broke, the script runs again on another one, if it answers again what it did: so a
     * schedule is stored anew should it have been lost.
     */
    <T> CompletableFuture<Replicated<T>> run(
            int replicas, Script script, ShardKeys shard, String what, byte[]... args) {
        return run(replicas, script, shard, what, new SendPermit(), args);
    }

    /** The same, unless its caller waits no longer before it is sent. */
    <T> CompletableFuture<Replicated<T>> run(
            int replicas, Script script, ShardKeys shard, String what, SendPermit permit, byte[]... args) {
        Call<T> call = new Call<>(replicas, script, shard, what, permit, args);
        call.boundByDeadline();
        call.attempt();
        return call.result();
    }

    private final class Call<T> extends ScriptCall<WaitConnection, Replicated<T>> {

        private final int replicas;
        private final Script script;
        private final ShardKeys shard;
        private final String what;
        private final SendPermit permit;
        private final byte[][] keys;
        private final byte[][] args;
        private volatile boolean inLine;

        Call(int replicas, Script script, ShardKeys shard, String what, SendPermit permit, byte[][] args) {
            super(script, what, budget, scripts.timer(), permit);
            this.replicas = replicas;
            this.script = script;
            this.shard = shard;
            this.what = what;
            this.permit = permit;
            this.keys = shard.of(script);
            this.args = args;
        }

        @Override
        CompletableFuture<WaitConnection> connection() {
            return lines.to(replicas, keys[0]);
        }

        @Override
        CompletionStage<Replicated<T>> sendHash(WaitConnection on) {
            return send(on, redis -> script.byHash(redis, keys, args));
        }

        @Override
        CompletionStage<Replicated<T>> sendText(WaitConnection on) {
            return send(on, redis -> script.byText(redis, keys, args));
        }

        /** It is sent when its round is, not before. */
        private CompletionStage<Replicated<T>> send(
                WaitConnection on, Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
            inLine = true;
            permit.waits(this::late);
            return on.send(
                    shard,
                    () -> !result().isDone(),
                    script.answersAgain(),
                    redis -> sending(() -> command.apply(redis)));
        }

        @Override
        void noteFailed(DelayQueueException failure) {
            scripts.failures().note(failure);
        }

        @Override
        Throwable unsent() {
            return inLine ? late() : super.unsent();
        }

        private TaskStoreTimeoutException late() {
            return new TaskStoreTimeoutException(
                    what
                            + ": Redis did not answer the calls before this one in time (delayqueue.redis.command-timeout);"
                            + " nothing was sent",
                    false,
                    null);
        }

        @Override
        boolean noteUnsent() {
            return scripts.noteUnsent(keys[0]);
        }

        @Override
        void noteAnswer() {
            scripts.noteAnswer(keys[0]);
        }

        @Override
        ScriptLoads loads(WaitConnection on) {
            return on.loads();
        }

        @Override
        void noteFailure(WaitConnection on, Throwable cause) {
            if (RedisErrors.isReplacedMaster(cause) || RedisErrors.isRedirection(cause)) {
                lines.masterChanged(replicas, on);
            } else if (RedisErrors.isClosed(cause)) {
                lines.closed(replicas, on);
            }
        }
    }
}
