// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.store.Replicated;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a master, for scripts that are answered when replicas have what they wrote. {@code WAIT} holds up
 * whatever comes after it on its connection, so scripts go in rounds: all that have come meanwhile, a write of the
 * line's own, one {@code WAIT}. A call waits for the round under way and for its own.
 *
 * <p>The count goes to the calls of a round only if the whole round went over one and the same socket: after a
 * reconnect {@code WAIT} would speak of another connection's writes, or of another server's.
 */
final class WaitConnection {

    private static final int CALLS_OF_A_ROUND = 64;
    /** Commands that follow the calls of a round. */
    private static final int COUNTING = 2;

    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final int replicas;
    private final long patienceMillis;
    private final int mostWaiting;
    private final int callsOfARound;
    private final ScriptLoads loads = new ScriptLoads();
    private final AtomicLong breaks = new AtomicLong();
    private final Deque<Item<?>> waiting = new ArrayDeque<>();
    private boolean underWay;

    /**
     * @param replicas to wait for
     * @param patience how long to wait for them
     */
    WaitConnection(StatefulRedisConnection<byte[], byte[]> connection, int replicas, Duration patience) {
        this.connection = connection;
        this.replicas = replicas;
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
     * Sends a script in the next round.
     *
     * @param shard whose script it is
     * @param wanted asked before it is sent: whether anybody still waits for the answer
     * @param answersAgain whether it may run once more when the replicas could not be counted; if not, none are
     * @return fails as the script does, or with {@link ReplicasUnknownException} if it has run and the replicas could
     *     not be counted; at once, with nothing sent, if as many calls wait as the connection may have under way
     */
    <T> CompletableFuture<Replicated<T>> send(
            ShardKeys shard,
            BooleanSupplier wanted,
            boolean answersAgain,
            Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> script) {
        Item<T> item = new Item<>(shard, wanted, answersAgain, script);
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
        rounds();
        return item.result;
    }

    ScriptLoads loads() {
        return loads;
    }

    void close() {
        connection.closeAsync();
    }

    /** One after the other; those that end at once, as without a connection, in this loop. */
    private void rounds() {
        try {
            sendRounds();
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

    private void sendRounds() {
        List<Item<?>> round = nextRound();
        while (!round.isEmpty()) {
            CompletionStage<?> ended = send(round);
            if (!ended.toCompletableFuture().isDone()) {
                ended.whenComplete((ignored, error) -> rounds());
                return;
            }
            round = nextRound();
        }
    }

    private synchronized List<Item<?>> nextRound() {
        List<Item<?>> round = new ArrayList<>();
        while (round.size() < callsOfARound && !waiting.isEmpty()) {
            Item<?> item = waiting.remove();
            if (item.wanted.getAsBoolean()) {
                round.add(item);
            }
        }
        underWay = !round.isEmpty();
        return round;
    }

    /** Whatever goes wrong, the round ends, and the next one follows. */
    private CompletionStage<?> send(List<Item<?>> round) {
        long before = breaks.get();
        CompletionStage<Long> counted;
        try {
            counted = sendAll(round);
        } catch (RuntimeException | Error ex) {
            round.forEach(item -> item.failUnlessSent(ex));
            counted = CompletableFuture.failedFuture(ex);
        }
        return counted.handle((count, error) -> {
            Throwable failure = (error != null) ? Causes.of(error) : null;
            if (failure == null && breaks.get() != before) {
                failure = new IllegalStateException("The connection was opened again in the middle");
            }
            for (Item<?> item : round) {
                Throwable its = failure;
                Seam.orFail(item.result, () -> item.end(count, its));
            }
            return count;
        });
    }

    private CompletionStage<Long> sendAll(List<Item<?>> round) {
        RedisAsyncCommands<byte[], byte[]> commands = connection.async();
        round.forEach(item -> item.send(commands));
        ShardKeys shard = round.get(round.size() - 1).shard;
        return count(commands, shard)
                .exceptionallyCompose(error -> countByAnother(commands, round, shard, Causes.of(error)));
    }

    private CompletionStage<Long> count(RedisAsyncCommands<byte[], byte[]> commands, ShardKeys shard) {
        return count(commands, () -> noopWrite(commands, shard))
                .exceptionallyCompose(error -> RedisErrors.isNoScript(Causes.of(error))
                        ? count(commands, () -> Script.NOOP_WRITE.byText(commands, shard.of(Script.NOOP_WRITE)))
                        : CompletableFuture.failedFuture(error));
    }

    /**
     * That the slot of one shard moves away, for example, is nothing to calls of others whose scripts have run here.
     */
    private CompletionStage<Long> countByAnother(
            RedisAsyncCommands<byte[], byte[]> commands, List<Item<?>> round, ShardKeys refused, Throwable error) {
        if (error instanceof RedisCommandExecutionException) {
            for (Item<?> item : round) {
                if (item.hasRun() && item.shard != refused) {
                    return count(commands, item.shard);
                }
            }
        }
        return CompletableFuture.failedFuture(error);
    }

    private CompletionStage<Long> count(
            RedisAsyncCommands<byte[], byte[]> commands, Supplier<CompletionStage<?>> noopWrite) {
        try {
            CompletionStage<?> written = noopWrite.get();
            CompletionStage<Long> counted = commands.waitForReplication(replicas, patienceMillis);
            return written.thenCombine(counted, (ignored, count) -> count);
        } catch (RuntimeException | Error ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    static CompletionStage<?> noopWrite(RedisScriptingAsyncCommands<byte[], byte[]> commands, ShardKeys shard) {
        return Script.NOOP_WRITE.byHash(commands, shard.of(Script.NOOP_WRITE));
    }

    private static final class Item<T> {

        private final ShardKeys shard;
        private final BooleanSupplier wanted;
        private final boolean answersAgain;
        private final Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> script;
        private boolean sent;
        private final CompletableFuture<T> reply = new CompletableFuture<>();
        private final CompletableFuture<Replicated<T>> result = new CompletableFuture<>();

        Item(
                ShardKeys shard,
                BooleanSupplier wanted,
                boolean answersAgain,
                Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> script) {
            this.shard = shard;
            this.wanted = wanted;
            this.answersAgain = answersAgain;
            this.script = script;
        }

        void send(RedisAsyncCommands<byte[], byte[]> commands) {
            CompletionStage<T> running;
            sent = true;
            try {
                running = script.apply(commands);
            } catch (RuntimeException | Error ex) {
                running = CompletableFuture.failedFuture(ex);
            }
            running.whenComplete((value, error) -> {
                if (error == null) {
                    reply.complete(value);
                } else {
                    result.completeExceptionally(Causes.of(error));
                }
            });
        }

        void failUnlessSent(Throwable error) {
            if (!sent) {
                result.completeExceptionally(error);
            }
        }

        boolean hasRun() {
            return reply.isDone();
        }

        void end(@Nullable Long count, @Nullable Throwable failure) {
            reply.thenAccept(value -> {
                if (failure == null && count != null) {
                    result.complete(new Replicated<>(value, count.intValue()));
                    return;
                }
                ReplicasUnknownException unknown = new ReplicasUnknownException(
                        failure != null ? failure : new IllegalStateException("WAIT answered nothing"));
                if (answersAgain || unknown.isRefusal()) {
                    result.completeExceptionally(unknown);
                } else {
                    result.complete(new Replicated<>(value, 0));
                }
            });
        }
    }
}
