// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.concurrent.Scheduler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class StageThreadsTests {

    private static final int STAGES = 40;

    @Test
    void runWhenNoThreadCanBeMadeForAWhileThrowsNothingAndCompletesAllAfterwards() {
        AtomicBoolean refuses = new AtomicBoolean(true);
        Scheduler library = new Scheduler(
                step -> {
                    if (refuses.get()) {
                        throw new OutOfMemoryError("no thread can be made");
                    }
                    Thread thread = new Thread(step);
                    thread.setDaemon(true);
                    return thread;
                },
                NamedThreads.HOUSEKEEPING);
        StageThreads stages = new StageThreads(library, STAGES + 1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger completed = new AtomicInteger();

        for (int i = 0; i < STAGES; i++) {
            assertThatCode(() -> stages.run(() -> {
                        awaitQuietly(released);
                        completed.incrementAndGet();
                    }))
                    .doesNotThrowAnyException();
        }
        refuses.set(false);
        stages.run(completed::incrementAndGet); // blocked dependents hold all threads but those that are made now
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> completed.get() == 1);
        released.countDown();

        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> completed.get() == STAGES + 1);
        assertThat(completed).hasValue(STAGES + 1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
