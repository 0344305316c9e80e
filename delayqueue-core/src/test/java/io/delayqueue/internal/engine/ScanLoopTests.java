// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScanLoopTests {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(300);

    private final EngineThreads threads = new EngineThreads(new Scheduler());
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong last = new AtomicLong();
    private volatile Runnable inPass = () -> {};
    private final ScanLoop loop = new ScanLoop("orders", threads, false, PAUSE, this::pass);

    @AfterEach
    void close() {
        threads.close();
    }

    private void pass() {
        last.set(System.nanoTime());
        count.incrementAndGet();
        inPass.run();
    }

    @Test
    void signalHasAPassRunOnAScanningThread() {
        AtomicReference<String> name = new AtomicReference<>();
        inPass = () -> name.set(Thread.currentThread().getName());

        loop.signal();

        await().atMost(PATIENCE).until(() -> name.get() != null);
        assertThat(name.get()).startsWith("delayqueue-scan-");
    }

    @Test
    void signalWhenPassesMayRunAnywhereRunsOneOnThisThread() {
        AtomicReference<Thread> passed = new AtomicReference<>();
        ScanLoop anywhere = new ScanLoop("orders", threads, true, PAUSE, () -> passed.set(Thread.currentThread()));

        anywhere.signal();
        assertThat(passed).hasValue(Thread.currentThread());
        anywhere.signalElsewhere();

        await().atMost(PATIENCE).until(() -> passed.get().getName().startsWith("delayqueue-scan-"));
    }

    @Test
    void atRunsTheStepNotBeforeItsMomentAndHasAPassFollow() {
        AtomicLong taken = new AtomicLong();
        long moment = System.nanoTime() + Duration.ofMillis(60).toNanos();

        loop.at(moment, () -> taken.set(System.nanoTime()));

        await().atMost(PATIENCE).until(() -> count.get() == 1);
        assertThat(taken.get() - moment).isNotNegative();
        assertThat(last.get() - taken.get()).isNotNegative();
    }

    @Test
    void comeBackAtWhenALaterPassIsPlannedPutsItForward() {
        long now = System.nanoTime();
        AtomicInteger planned = new AtomicInteger();
        inPass = () -> {
            if (planned.getAndIncrement() == 0) {
                loop.comeBackAt(now + Duration.ofHours(1).toNanos());
                loop.comeBackAt(now + Duration.ofMillis(40).toNanos());
                loop.comeBackAt(now + Duration.ofMinutes(1).toNanos());
            }
        };

        loop.signal();

        await().atMost(PATIENCE).until(() -> count.get() == 2);
        assertThat(last.get() - now)
                .isGreaterThanOrEqualTo(Duration.ofMillis(40).toNanos());
    }

    @Test
    void closeCancelsThePassThatIsPlanned() {
        AtomicBoolean planned = new AtomicBoolean();
        inPass = () -> {
            loop.comeBackAt(System.nanoTime() + Duration.ofSeconds(2).toNanos());
            planned.set(true);
        };
        loop.signal();
        await().atMost(PATIENCE).untilTrue(planned);

        loop.close();

        await().during(Duration.ofMillis(2_300)).until(() -> count.get() == 1);
    }

    @Test
    void passWhenItThrowsIsFollowedByAPauseAndAnotherOne() {
        AtomicLong goneOn = new AtomicLong();
        AtomicInteger pausing = new AtomicInteger();
        inPass = () -> {
            if (count.get() == 1) {
                throw new StackOverflowError();
            }
            if (loop.isPausing(System.nanoTime())) {
                pausing.incrementAndGet();
            } else {
                goneOn.set(System.nanoTime());
            }
        };
        loop.signal();
        await().atMost(PATIENCE).until(() -> count.get() == 1);
        long thrown = last.get();
        loop.signal();

        await().atMost(PATIENCE).until(() -> goneOn.get() != 0);
        assertThat(pausing).as("a signal does not end the pause").hasPositiveValue();
        assertThat(goneOn.get() - thrown).isGreaterThanOrEqualTo(PAUSE.toNanos());
    }

    @Test
    void awaitIdleWhenSomethingIsUnderWayReturnsWhenItsEndIsSignalled() throws Exception {
        AtomicInteger underWay = new AtomicInteger(1);
        loop.end();
        assertThat(loop.isEnding()).isTrue();
        assertThat(loop.awaitIdle(() -> underWay.get() == 0, Duration.ofMillis(20)))
                .isFalse();

        threads.wheel().at(System.nanoTime() + Duration.ofMillis(30).toNanos(), () -> {
            underWay.set(0);
            loop.signal();
        });

        assertThat(loop.awaitIdle(() -> underWay.get() == 0, PATIENCE)).isTrue();
    }
}
