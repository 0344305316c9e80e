// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
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
    void signalWhenPassesMayRunAnywhereRunsOneOnThisThread() {
        AtomicReference<Thread> passed = new AtomicReference<>();
        ScanLoop anywhere = new ScanLoop("orders", threads, true, PAUSE, () -> passed.set(Thread.currentThread()));

        anywhere.signal();
        assertThat(passed).hasValue(Thread.currentThread());
        anywhere.signalElsewhere();

        await().atMost(PATIENCE).until(() -> passed.get().getName().startsWith("delayqueue-scan-"));
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
}
