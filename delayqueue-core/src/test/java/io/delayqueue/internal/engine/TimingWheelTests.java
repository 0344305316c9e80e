// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.concurrent.Scheduler;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TimingWheelTests {

    private final Scheduler scheduler = new Scheduler();
    private final TimingWheel wheel = new TimingWheel(scheduler);

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void atWhenNearOrFarIsNeverEarly() throws InterruptedException {
        long start = System.nanoTime();
        int[] millis = {0, 1, 7, 150, 250, 333, 512, 700};
        AtomicLong earliness = new AtomicLong(Long.MIN_VALUE);
        CountDownLatch wentOff = new CountDownLatch(millis.length);
        for (int delay : millis) {
            long at = start + TimeUnit.MILLISECONDS.toNanos(delay);
            wheel.at(at, () -> {
                earliness.accumulateAndGet(at - System.nanoTime(), Math::max);
                wentOff.countDown();
            });
        }
        assertThat(wentOff.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(earliness.get()).isLessThanOrEqualTo(0);
    }

    @Test
    void atWhenManyMomentsWaitNeedsNoMoreThreads() throws InterruptedException {
        wheel.at(System.nanoTime(), () -> {});
        int before = Thread.activeCount();
        AtomicInteger wentOff = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(50_000);
        List<TimingWheel.Alarm> cancelled = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            TimingWheel.Alarm alarm =
                    wheel.at(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3000 + i % 1000), () -> {
                        wentOff.incrementAndGet();
                        all.countDown();
                    });
            if (i % 2 == 0) {
                cancelled.add(alarm);
            }
        }
        cancelled.forEach(TimingWheel.Alarm::cancel);
        assertThat(Thread.activeCount()).isLessThanOrEqualTo(before + 1);
        assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(wentOff).hasValue(50_000);
    }

    @Test
    void atWhenFarTakesTheTimerTwoSteps() throws Exception {
        CountDownLatch wentOff = new CountDownLatch(1);
        wheel.at(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1400), wentOff::countDown);
        assertThat(wentOff.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(stepsOfTheTimer()).isLessThanOrEqualTo(2);
    }

    private long stepsOfTheTimer() throws ReflectiveOperationException {
        Field timer = Scheduler.class.getDeclaredField("timer");
        timer.setAccessible(true);
        return ((ThreadPoolExecutor) timer.get(scheduler)).getCompletedTaskCount();
    }

    @Test
    void atWhenClosedDoesNothing() {
        scheduler.close();
        wheel.at(System.nanoTime() + TimeUnit.SECONDS.toNanos(1), () -> {}).cancel();
        wheel.at(System.nanoTime(), () -> {}).cancel();
    }
}
