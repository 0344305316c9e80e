// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.concurrent.SignalledRounds;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Bounds the calls of one process that look for tasks in all shards of their queues, so that other calls find room on
 * the connection and on the servers. The others wait, in the order in which they came. Nothing blocks.
 */
final class Sweeps {

    /** Calls for one task that are under way at a time. */
    static final int CALLS_FOR_ONE_TASK = 8;

    /** Calls for all tasks. */
    static final int CALLS = 64;

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final SignalledRounds rounds;

    /** @param threads go on where a caller has started many */
    Sweeps(Executor threads) {
        this.rounds = SignalledRounds.here("Looking for tasks in all shards", threads, this::startSome);
    }

    /** Makes the call when it is its turn. */
    <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        waiting.add(() -> make(call, answer));
        rounds.signal();
        return answer;
    }

    private <T> void make(Supplier<CompletableFuture<T>> call, CompletableFuture<T> answer) {
        Seam.call(call).whenComplete((value, error) -> {
            underWay.decrementAndGet();
            if (error == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(Causes.of(error));
            }
            rounds.signal();
        });
    }

    private void startSome() {
        while (underWay.get() < CALLS && !waiting.isEmpty()) {
            underWay.incrementAndGet();
            waiting.remove().run();
        }
    }
}
