// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AfterConfirmsTests {

    @AutoClose
    private final Scheduler timer = new Scheduler();

    private final AtomicBoolean threads = new AtomicBoolean();
    private final AtomicInteger refused = new AtomicInteger();
    private final Executor pool = step -> {
        if (!threads.get()) {
            refused.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
        }
        new Thread(step, "pool").start();
    };
    private final AfterConfirms after = new AfterConfirms(pool, timer);

    /** The timer also frees threads that hang in a write, such as that of the step. */
    @Test
    void followWhenTheTimeIsOverAndThereIsNoThreadWaitsForOneAndLeavesTheTimerFree() {
        CompletableFuture<String> ran = new CompletableFuture<>();

        after.follow(
                new CompletableFuture<>(),
                Duration.ofMillis(10),
                () -> ran.complete(Thread.currentThread().getName()));

        await().until(() -> refused.get() >= 2);
        assertThat(ran).isNotDone();
        threads.set(true);
        assertThat(ran).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("pool");
    }

    @Test
    void followWhenTheAnswersAreThereAndThereIsNoThreadRunsTheStepWhereTheyCameIn() {
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<String> ran = new CompletableFuture<>();
        after.follow(
                over,
                Duration.ofMinutes(1),
                () -> ran.complete(Thread.currentThread().getName()));

        over.complete(null);

        assertThat(ran).isCompletedWithValue(Thread.currentThread().getName());
    }
}
