// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SOON = Duration.ofMillis(5);

    private final AtomicBoolean threadsAreOut = new AtomicBoolean();
    private final AtomicInteger runs = new AtomicInteger();
    private final ThreadFactory threads = step -> new Thread(step) {
        @Override
        public synchronized void start() {
            if (threadsAreOut.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            super.start();
        }
    };
    private final Scheduler scheduler = new Scheduler(threads, threads);

    @AfterEach
    void close() {
        scheduler.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyWhenARunThrowsGoesOnUntilItIsCancelled(boolean worker) {
        Runnable step = () -> {
            runs.incrementAndGet();
            throw new StackOverflowError();
        };
        Scheduler.Scheduled scheduled =
                worker ? scheduler.worker().every(SOON, step) : scheduler.every(SOON, SOON, step);
        await().atMost(PATIENCE).until(() -> runs.get() >= 3);

        scheduled.cancel();
        await().during(Duration.ofMillis(100)).until(() -> {
            int before = runs.get();
            TimeUnit.MILLISECONDS.sleep(20);
            return runs.get() == before;
        });
    }

    @Test
    void workerWhenAStepBlocksHoldsUpNeitherTheTimerNorOtherWorkers() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        BackgroundWorker blocked = scheduler.worker();
        List<String> done = new CopyOnWriteArrayList<>();
        blocked.execute(() -> {
            awaitQuietly(gate);
            done.add("first");
        });
        blocked.after(SOON, () -> done.add("second"));
        CountDownLatch others = new CountDownLatch(2);
        scheduler.after(SOON, others::countDown);
        scheduler.worker().after(SOON, others::countDown);

        assertThat(others.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(done).isEmpty();
        gate.countDown();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(done).containsExactly("first", "second"));
    }

    @Test
    void workerWhenNoThreadCanBeMadeRefusesAStepAndRunsScheduledOnesLater() {
        BackgroundWorker worker = scheduler.worker();
        scheduler.start();
        threadsAreOut.set(true);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> worker.execute(() -> runs.addAndGet(100)));
        CountDownLatch tried = new CountDownLatch(1);
        worker.every(SOON, runs::incrementAndGet);
        scheduler.after(SOON.multipliedBy(2), tried::countDown);
        awaitQuietly(tried);
        threadsAreOut.set(false);

        await().atMost(PATIENCE).until(() -> runs.get() >= 2);
        assertThat(runs).hasValueLessThan(100);
    }

    @Test
    void workerOfManyThreadsWhenNoThreadCanBeMadeGivesAStepToAnIdleOne() {
        BackgroundWorker worker = new BackgroundWorker(scheduler, 4, threads);
        worker.execute(runs::incrementAndGet);
        await().atMost(PATIENCE).until(() -> runs.get() == 1);

        threadsAreOut.set(true);
        for (int i = 2; i < 10; i++) {
            int expected = i;
            // The thread may still be on its way to the queue.
            await().atMost(PATIENCE).ignoreException(OutOfMemoryError.class).until(() -> {
                worker.execute(runs::incrementAndGet);
                return true;
            });
            await().atMost(PATIENCE).until(() -> runs.get() == expected);
        }
        worker.close();
    }

    @Test
    void workerOfManyThreadsWhenAllAreBusyQueuesStepsAndRunsThemAll() throws InterruptedException {
        BackgroundWorker worker = new BackgroundWorker(scheduler, 2, threads);
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            worker.execute(() -> {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                awaitQuietly(gate);
                now.decrementAndGet();
                runs.incrementAndGet();
            });
        }
        assertThat(worker.waiting()).isEqualTo(48);
        await().atMost(PATIENCE).until(() -> now.get() == 2);

        gate.countDown();
        worker.finish();
        assertThat(worker.awaitEnd(PATIENCE)).isTrue();
        assertThat(runs).hasValue(50);
        assertThat(most).hasValue(2);
    }

    @Test
    void everyOfAWorkerWhenARunTakesLongSkipsTurnsAndGoesOn() {
        CountDownLatch gate = new CountDownLatch(1);
        BackgroundWorker worker = scheduler.worker();
        worker.every(SOON, () -> {
            runs.incrementAndGet();
            awaitQuietly(gate);
        });
        await().atMost(PATIENCE).until(() -> runs.get() == 1);
        CountDownLatch turns = new CountDownLatch(10);
        scheduler.every(SOON, SOON, turns::countDown);
        awaitQuietly(turns);
        AtomicInteger runsBefore = new AtomicInteger();
        worker.execute(() -> runsBefore.set(runs.get()));

        gate.countDown();

        await().atMost(PATIENCE).until(() -> runsBefore.get() > 0);
        assertThat(runsBefore).as("no turn waits during the long run").hasValue(1);
        await().atMost(PATIENCE).until(() -> runs.get() >= 2);
    }

    @Test
    void everyOfAWorkerWhenItIsCancelledRunsNoMoreNotEvenATurnThatWaits() {
        CountDownLatch gate = new CountDownLatch(1);
        BackgroundWorker worker = scheduler.worker();
        worker.execute(() -> awaitQuietly(gate));
        Scheduler.Scheduled every = worker.every(SOON, runs::incrementAndGet);
        CountDownLatch turns = new CountDownLatch(10);
        scheduler.every(SOON, SOON, turns::countDown);
        awaitQuietly(turns);

        every.cancel();
        CountDownLatch afterwards = new CountDownLatch(1);
        worker.execute(afterwards::countDown);
        gate.countDown();

        awaitQuietly(afterwards);
        assertThat(runs).hasValue(0);
    }

    @Test
    void afterWhenNoThreadCanBeMadeIsRefusedAndNotRunLater() {
        threadsAreOut.set(true);
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> scheduler.after(Duration.ZERO, () -> runs.addAndGet(100)));
        threadsAreOut.set(false);
        scheduler.execute(runs::incrementAndGet);
        await().atMost(PATIENCE).until(() -> runs.get() == 1);
    }

    @Test
    void finishRunsWhatWaitsAndCloseInterruptsWhatRuns() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        BackgroundWorker finishing = scheduler.worker();
        finishing.execute(() -> awaitQuietly(gate));
        finishing.execute(runs::incrementAndGet);
        finishing.finish();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> finishing.execute(() -> {}));
        gate.countDown();
        assertThat(finishing.awaitEnd(PATIENCE)).isTrue();
        assertThat(runs).hasValue(1);

        BackgroundWorker closing = scheduler.worker();
        closing.execute(() -> awaitQuietly(new CountDownLatch(1)));
        closing.execute(runs::incrementAndGet);
        closing.close();
        assertThat(closing.awaitEnd(PATIENCE)).isTrue();
        assertThat(runs).hasValue(1);
    }

    @Test
    void afterWhenClosedIsRefused() {
        scheduler.close();
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> scheduler.execute(() -> {}));
        assertThat(scheduler.isClosed()).isTrue();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
