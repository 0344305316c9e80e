// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Runs scripts by their hash, sends the text once where the server does not know it, and tries again, with back-off and
 * within the command time-out, what was refused for now or whose connection broke. Every script is safe to be sent again.
 */
final class ScriptRunner {

    private static final long FIRST_BACK_OFF_MILLIS = 10;
    private static final long LONGEST_BACK_OFF_MILLIS = 200;

    private final LettuceConnectionFactory connectionFactory;
    private final long budgetNanos;
    private volatile @Nullable RedisClusterAsyncCommands<byte[], byte[]> commands;

    ScriptRunner(LettuceConnectionFactory connectionFactory, Duration budget) {
        this.connectionFactory = connectionFactory;
        this.budgetNanos = budget.toNanos();
    }

    /**
     * Runs a script.
     *
     * @param what the call, for messages: names the queue and the id
     */
    <T> CompletableFuture<T> run(Script script, ScriptOutputType type, String what, byte[][] keys, byte[][] args) {
        CompletableFuture<T> result = new CompletableFuture<>();
        new Call<T>(script, type, what, keys, args, result, System.nanoTime() + budgetNanos).attempt();
        return result;
    }

    private RedisClusterAsyncCommands<byte[], byte[]> commands() {
        RedisClusterAsyncCommands<byte[], byte[]> current = commands;
        return (current != null) ? current : connect();
    }

    @SuppressWarnings("unchecked")
    private synchronized RedisClusterAsyncCommands<byte[], byte[]> connect() {
        RedisClusterAsyncCommands<byte[], byte[]> current = commands;
        if (current == null) {
            try (RedisConnection connection = connectionFactory.getConnection()) {
                current = (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
            }
            commands = current;
        }
        return current;
    }

    /** The server has become a replica: only a new connection finds the new master. */
    private synchronized void dropConnection(RedisClusterAsyncCommands<byte[], byte[]> failed) {
        if (commands == failed) {
            commands = null;
            connectionFactory.resetConnection();
        }
    }

    private final class Call<T> {

        private final Script script;
        private final ScriptOutputType type;
        private final String what;
        private final byte[][] keys;
        private final byte[][] args;
        private final CompletableFuture<T> result;
        private final long deadline;
        private long backOffMillis = FIRST_BACK_OFF_MILLIS;
        private boolean mayHaveRun;

        Call(
                Script script,
                ScriptOutputType type,
                String what,
                byte[][] keys,
                byte[][] args,
                CompletableFuture<T> result,
                long deadline) {
            this.script = script;
            this.type = type;
            this.what = what;
            this.keys = keys;
            this.args = args;
            this.result = result;
            this.deadline = deadline;
        }

        void attempt() {
            RedisClusterAsyncCommands<byte[], byte[]> on;
            CompletionStage<T> reply;
            try {
                on = commands();
                reply = on.evalsha(script.sha1(), type, keys, args);
            } catch (RuntimeException ex) {
                failed(ex, null);
                return;
            }
            reply.whenComplete((value, error) -> {
                if (error == null) {
                    result.complete(value);
                    return;
                }
                Throwable cause = RedisErrors.unwrap(error);
                if (RedisErrors.isNoScript(cause)) {
                    sendText(on);
                } else {
                    failed(cause, on);
                }
            });
        }

        private void sendText(RedisClusterAsyncCommands<byte[], byte[]> on) {
            CompletionStage<T> reply;
            try {
                reply = on.eval(script.source(), type, keys, args);
            } catch (RuntimeException ex) {
                failed(ex, on);
                return;
            }
            reply.whenComplete((value, error) -> {
                if (error == null) {
                    result.complete(value);
                } else {
                    failed(RedisErrors.unwrap(error), on);
                }
            });
        }

        private void failed(Throwable cause, @Nullable RedisClusterAsyncCommands<byte[], byte[]> on) {
            boolean lost = RedisErrors.isConnectionLost(cause);
            boolean again = lost || RedisErrors.isNotSent(cause) || RedisErrors.isTransientReply(cause);
            long pauseNanos = TimeUnit.MILLISECONDS.toNanos(backOffMillis);
            if (again && System.nanoTime() + pauseNanos < deadline) {
                mayHaveRun |= lost;
                backOffMillis = Math.min(backOffMillis * 2, LONGEST_BACK_OFF_MILLIS);
                CompletableFuture.delayedExecutor(pauseNanos, TimeUnit.NANOSECONDS)
                        .execute(() -> {
                            if (on != null && RedisErrors.isReadOnly(cause)) {
                                dropConnection(on);
                            }
                            attempt();
                        });
                return;
            }
            result.completeExceptionally(RedisErrors.translate(what, cause, mayHaveRun));
        }
    }
}
