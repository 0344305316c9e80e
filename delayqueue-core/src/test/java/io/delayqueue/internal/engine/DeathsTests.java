// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.LogLines;
import io.delayqueue.delivery.TaskDied;
import io.delayqueue.internal.concurrent.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class DeathsTests {

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    @Test
    void tellWhenAListenerBlocksAndThrowsGoesOnAndKeepsABoundedNumber() {
        try (LogLines log = new LogLines();
                Deaths deaths = new Deaths(
                        death -> {
                            awaitGate();
                            told.add(death.id());
                            throw new IllegalStateException("on purpose");
                        },
                        new Scheduler())) {
            int more = 50;
            for (int i = 0; i < Deaths.MOST_WAITING + more; i++) {
                deaths.tell(new TaskDied("orders", "task-" + i, "x"));
            }
            gate.countDown();
            await().atMost(Duration.ofSeconds(10)).until(() -> told.size() >= Deaths.MOST_WAITING);
            deaths.tell(new TaskDied("orders", "last", "x"));
            await().atMost(Duration.ofSeconds(10)).until(() -> told.contains("last"));
            assertThat(told).hasSizeBetween(Deaths.MOST_WAITING + 1, Deaths.MOST_WAITING + 2);
            assertThat(log.all())
                    .as("one line for all failures of a minute")
                    .filteredOn(line -> line.contains("a listener for dead tasks failed"))
                    .hasSize(1);
        }
    }

    private void awaitGate() {
        try {
            gate.await();
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }
}
