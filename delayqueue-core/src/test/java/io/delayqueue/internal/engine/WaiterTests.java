// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WaiterTests {

    private final Waiter waiter = new Waiter();

    @Test
    void awaitWhenSignalCameBeforeReturnsAtOnce() throws InterruptedException {
        waiter.signal();
        waiter.await(TimeUnit.DAYS.toNanos(1));
    }

    @Test
    void awaitWhenOneSignalIsUsedUpWaitsForTheTime() throws InterruptedException {
        waiter.signal();
        waiter.await(0);
        long before = System.nanoTime();
        waiter.await(TimeUnit.MILLISECONDS.toNanos(30));
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    @Test
    void awaitWhenSignalledFromAnotherThreadReturns() throws InterruptedException {
        CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS).execute(waiter::signal);
        waiter.await(TimeUnit.DAYS.toNanos(1));
    }

    @Test
    void awaitUntilWhenConditionNeverHoldsSaysSo() throws InterruptedException {
        assertThat(waiter.awaitUntil(() -> false, TimeUnit.MILLISECONDS.toNanos(20)))
                .isFalse();
        AtomicBoolean holds = new AtomicBoolean();
        CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS).execute(() -> holds.set(true));
        assertThat(waiter.awaitUntil(holds::get, TimeUnit.SECONDS.toNanos(10))).isTrue();
    }
}
