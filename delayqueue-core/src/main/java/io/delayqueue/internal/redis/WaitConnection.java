// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Throttle;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a master, for scripts whose reply waits for replicas. {@code WAIT} blocks later commands on its
 * connection, so scripts are sent in rounds. A round consists of all waiting scripts, a write by this class, and one
 * {@code WAIT}. A call waits for the current round and then for its own.
 *
 * <p>The count is valid for the scripts of a round only if the whole round used one socket. After a reconnect, {@code
 * WAIT} would count the writes of another connection or server.
 */
final class WaitConnection implements ScriptConnection {

    private static final Logger log = LoggerFactory.getLogger(WaitConnection.class);
    private static final Throttle refusals = new Throttle(Duration.ofMinutes(1));
    private static final int CALLS_OF_A_ROUND = 64;
    /** Number of commands that follow the scripts of a round. */
    private static final int COUNTING = 2;

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final int replicas;
    private final long patienceMillis;
    private final int mostWaiting;
    private final int callsOfARound;
    private final BiConsumer<WaitConnection, Throwable> onFailure;
    private final AtomicLong breaks = new AtomicLong();
    private final Deque<Item<?>> waiting = new ArrayDeque<>();
    private boolean underWay;

    /**
     * @param replicas number of replicas to wait for
     * @param patience how long to wait for them
     * @param onFailure replaces the connection if the failure shows that it will not recover
     */
    WaitConnection(
            StatefulRedisConnection<byte[], byte[]> connection,
            int replicas,
            Duration patience,
            BiConsumer<WaitConnection, Throwable> onFailure) {
        this.connection = connection;
        this.replicas = replicas;
        this.onFailure = onFailure;
        this.patienceMillis = Math.max(1, patience.toMillis());
        this.mostWaiting = connection.getOptions().getRequestQueueSize();
        this.callsOfARound = Math.max(1, Math.min(CALLS_OF_A_ROUND, mostWaiting - COUNTING));
        connection.addListener(new RedisConnectionStateListener() {

            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> on, SocketAddress server) {
                breaks.incrementAndGet();
            }

            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> on) {
                breaks.incrementAndGet();
            }
        });
    }

    /**
     * Sends a call in the next round. The stage fails if the script fails, or with a {@link ReplicasUnknownException}
     * if the script has run but the replicas could not be counted. If the server refuses to count them, no replica
     * counts. The stage fails at once, without sending anything, if the limit of waiting calls is reached.
     */
    @Override
    public <T> CompletionStage<T> send(ScriptCall<T> call, boolean text) {
        call.waitForRound();
        Item<T> item = new Item<>(call, text, new CompletableFuture<>(), new CompletableFuture<>());
        synchronized (this) {
            if (waiting.size() >= mostWaiting) {
                return CompletableFuture.failedFuture(RedisErrors.queueFull(mostWaiting));
            }
            waiting.add(item);
            if (underWay) {
                return item.result;
            }
            underWay = true;
        }
        sendRounds();
        return item.result;
    }

    @Override
    public void replaceAfter(Throwable failure) {
        onFailure.accept(this, failure);
    }

    void close() {
        connection.closeAsync();
    }

    /**
     * Sends rounds one after the other. A loop handles rounds that end at once, for example because there is no
     * connection.
     */
    private void sendRounds() {
        try {
            List<Item<?>> round = nextRound();
            while (!round.isEmpty()) {
                CompletableFuture<?> ended = send(round);
                if (!ended.isDone()) {
                    ended.whenComplete((ignored, error) -> sendRounds());
                    return;
                }
                round = nextRound();
            }
        } catch (Throwable ex) {
            failAll(ex);
        }
    }

    private void failAll(Throwable error) {
        List<Item<?>> left;
        synchronized (this) {
            left = List.copyOf(waiting);
            waiting.clear();
            underWay = false;
        }
        left.forEach(item -> item.result.completeExceptionally(error));
    }

    private synchronized List<Item<?>> nextRound() {
        List<Item<?>> round = new ArrayList<>();
        while (round.size() < callsOfARound && !waiting.isEmpty()) {
            Item<?> item = waiting.remove();
            if (!item.call.result().isDone()) {
                round.add(item);
            }
        }
        underWay = !round.isEmpty();
        return round;
    }

    /** Sends the calls of a round. Completes normally even after a failure, so that the next round can start. */
    private CompletableFuture<?> send(List<Item<?>> round) {
        long before = breaks.get();
        CompletionStage<Long> counted;
        try {
            round.forEach(item -> item.send(connection.async()));
            ScriptRequest last = round.get(round.size() - 1).call.request();
            counted = count(last).exceptionallyCompose(error -> countElsewhere(last, round, error));
        } catch (Throwable ex) {
            counted = CompletableFuture.failedFuture(ex);
        }
        return counted.handle((count, error) -> {
                    Throwable failure = (error != null) ? Causes.of(error) : null;
                    if (failure == null && breaks.get() != before) {
                        failure = new IllegalStateException("The connection was reopened in between");
                    }
                    if (failure != null && RedisErrors.isRefusal(failure)) {
                        if (refusals.passes()) {
                            String reply = RedisErrors.firstLine(failure);
                            Guard.tell(() -> log.warn(
                                    "Redis refuses to count the replicas that have confirmed calls, so the calls count "
                                            + "as confirmed by none. Check the permissions of the user against "
                                            + "docs/security.md, including WAIT, SET and DEL. Reply of Redis: {}",
                                    reply));
                        }
                        count = 0L;
                        failure = null;
                    }
                    for (Item<?> item : round) {
                        item.end(count, failure);
                    }
                    return count;
                })
                .toCompletableFuture();
    }

    /**
     * Counts replicas after a write to another shard of this server. The server may refuse a write to the shard of the
     * last call, for example because the shard has moved to another server.
     */
    private CompletionStage<Long> countElsewhere(ScriptRequest refused, List<Item<?>> round, Throwable error) {
        return round.stream()
                .filter(item -> item.reply.isDone() && item.call.request().shard() != refused.shard())
                .findFirst()
                .map(item -> count(item.call.request()))
                .orElseGet(() -> CompletableFuture.failedFuture(error));
    }

    /** Counts replicas after a write. Sends the source of the write, because the server may not know its hash. */
    private CompletionStage<Long> count(ScriptRequest last) {
        RedisAsyncCommands<byte[], byte[]> commands = connection.async();
        byte[][] noop = Objects.requireNonNull(last.shard()).of(Script.NOOP_WRITE);
        CompletionStage<?> written = Script.NOOP_WRITE.byText(commands, noop);
        return written.thenCombine(commands.waitForReplication(replicas, patienceMillis), (ignored, count) -> count);
    }

    private record Item<T>(ScriptCall<T> call, boolean text, CompletableFuture<T> reply, CompletableFuture<T> result) {

        void send(RedisAsyncCommands<byte[], byte[]> commands) {
            Guard.call(() -> call.dispatch(commands, text).toCompletableFuture())
                    .whenComplete((value, error) -> {
                        if (error == null) {
                            reply.complete(value);
                        } else {
                            result.completeExceptionally(Causes.of(error));
                        }
                    });
        }

        void end(@Nullable Long count, @Nullable Throwable failure) {
            reply.thenAccept(value -> {
                ReplicasUnknownException unknown = (failure == null) ? null : new ReplicasUnknownException(failure);
                if (unknown != null && call.request().answersAgain()) {
                    result.completeExceptionally(unknown);
                    return;
                }
                call.noteReplicas(unknown == null && count != null ? count.intValue() : 0);
                result.complete(value);
            });
        }
    }
}
