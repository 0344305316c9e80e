// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Runs scripts by their hash, sends the text once where the server does not know it, and tries again, with back-off and
 * within the command time-out, what was refused for now or whose connection broke. Every script is safe to be sent again;
 * one whose answer would then be another is not, once it may have run.
 */
final class ScriptRunner {

    private static final long FIRST_BACK_OFF_MILLIS = 10;
    private static final long LONGEST_BACK_OFF_MILLIS = 200;
    private static final long BETWEEN_DROPS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LettuceConnectionFactory connectionFactory;
    private final long budgetNanos;
    private final ScheduledExecutorService timer = timer();
    private volatile @Nullable CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands;
    private long lastDropNanos = System.nanoTime() - BETWEEN_DROPS_NANOS;

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

    /** One attempt to connect at a time, on a thread of its own: callers do not wait in it, but for its outcome. */
    private CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands() {
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> current = commands;
        return (current != null && !current.isCompletedExceptionally()) ? current : connect();
    }

    private synchronized CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> connect() {
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> current = commands;
        if (current == null || current.isCompletedExceptionally()) {
            current = CompletableFuture.supplyAsync(this::nativeConnection, ScriptRunner::onNewThread);
            commands = current;
        }
        return current;
    }

    @SuppressWarnings("unchecked")
    private RedisClusterAsyncCommands<byte[], byte[]> nativeConnection() {
        try (RedisConnection connection = connectionFactory.getConnection()) {
            return (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
        }
    }

    /** Its one thread ends when it has nothing to wait for. */
    private static ScheduledExecutorService timer() {
        CustomizableThreadFactory threads = new CustomizableThreadFactory("delayqueue-redis-timer-");
        threads.setDaemon(true);
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, threads);
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(10, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    private static void onNewThread(Runnable connecting) {
        Thread thread = new Thread(connecting, "delayqueue-redis-connect");
        thread.setDaemon(true);
        thread.start();
    }

    /** A connection that somebody else has closed never opens again; the factory has another one by now. */
    private synchronized void forget(RedisClusterAsyncCommands<byte[], byte[]> closed) {
        if (isCurrent(closed)) {
            commands = null;
        }
    }

    /**
     * Only a new connection finds the new master. Not too often: the old one's other calls are cut off, and there may be no
     * new master yet, or none to come. One to a cluster stays: it learns of a new master by itself, and other nodes are well.
     * Nobody waits while the old one closes, for that may need the thread that asks.
     */
    private synchronized void dropConnection(RedisClusterAsyncCommands<byte[], byte[]> failed) {
        long now = System.nanoTime();
        if (!connectionFactory.isClusterAware() && isCurrent(failed) && now - lastDropNanos > BETWEEN_DROPS_NANOS) {
            lastDropNanos = now;
            commands = CompletableFuture.supplyAsync(() -> replacementOf(failed), ScriptRunner::onNewThread);
        }
    }

    private boolean isCurrent(RedisClusterAsyncCommands<byte[], byte[]> on) {
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> current = commands;
        return current != null && current.isDone() && !current.isCompletedExceptionally() && current.join() == on;
    }

    /** Others that run scripts on the same factory may have dropped it already. */
    private RedisClusterAsyncCommands<byte[], byte[]> replacementOf(RedisClusterAsyncCommands<byte[], byte[]> failed) {
        RedisClusterAsyncCommands<byte[], byte[]> shared = nativeConnection();
        if (shared != failed) {
            return shared;
        }
        connectionFactory.resetConnection();
        return nativeConnection();
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
        private boolean bounded;
        private volatile boolean sent;
        private volatile boolean mayHaveRun;
        private volatile @Nullable Throwable lastCause;

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
            CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> connected = commands();
            if (!connected.isDone()) {
                boundByDeadline();
            }
            connected.whenComplete((on, error) -> {
                if (error != null) {
                    failed(RedisErrors.unwrap(error), null);
                } else if (!result.isDone()) {
                    sendHash(on);
                }
            });
        }

        private void sendHash(RedisClusterAsyncCommands<byte[], byte[]> on) {
            send(on, () -> on.evalsha(script.sha1(), type, keys, args), cause -> {
                if (RedisErrors.isNoScript(cause)) {
                    sendText(on);
                } else {
                    failed(cause, on);
                }
            });
        }

        private void sendText(RedisClusterAsyncCommands<byte[], byte[]> on) {
            boundByDeadline();
            send(on, () -> on.eval(script.source(), type, keys, args), cause -> failed(cause, on));
        }

        private void send(
                RedisClusterAsyncCommands<byte[], byte[]> on,
                Supplier<CompletionStage<T>> command,
                Consumer<Throwable> onError) {
            CompletionStage<T> reply;
            sent = true;
            try {
                reply = command.get();
            } catch (RuntimeException ex) {
                sent = false;
                failed(ex, on);
                return;
            }
            reply.whenComplete((value, error) -> {
                if (error == null) {
                    result.complete(value);
                    return;
                }
                Throwable cause = RedisErrors.unwrap(error);
                mayHaveRun |= RedisErrors.isConnectionLost(cause);
                sent = false;
                onError.accept(cause);
            });
        }

        private void failed(Throwable cause, @Nullable RedisClusterAsyncCommands<byte[], byte[]> on) {
            lastCause = cause;
            boolean again = (RedisErrors.isConnectionLost(cause) && script.answersAgain())
                    || RedisErrors.isNotSent(cause)
                    || RedisErrors.isTransientReply(cause);
            long pauseNanos = TimeUnit.MILLISECONDS.toNanos(backOffMillis);
            if (on != null && RedisErrors.isReplacedMaster(cause)) {
                dropConnection(on);
            } else if (on != null && RedisErrors.isClosed(cause)) {
                forget(on);
            }
            if (again && System.nanoTime() + pauseNanos < deadline) {
                boundByDeadline();
                backOffMillis = Math.min(backOffMillis * 2, LONGEST_BACK_OFF_MILLIS);
                timer.schedule(this::attempt, pauseNanos, TimeUnit.NANOSECONDS);
                return;
            }
            result.completeExceptionally(RedisErrors.translate(what, cause, mayHaveRun));
        }

        /** A first command on an open connection has the driver's time-out; whatever takes longer needs this one. */
        private void boundByDeadline() {
            if (!bounded) {
                bounded = true;
                ScheduledFuture<?> expiry =
                        timer.schedule(this::expire, deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                result.whenComplete((value, error) -> expiry.cancel(false));
            }
        }

        private void expire() {
            if (!result.isDone()) {
                Throwable cause = sent
                        ? new RedisCommandTimeoutException("No answer within the time of the call")
                        : Objects.requireNonNullElseGet(
                                lastCause, () -> new RedisConnectionException("Not connected in time"));
                result.completeExceptionally(RedisErrors.translate(what, cause, mayHaveRun));
            }
        }
    }
}
