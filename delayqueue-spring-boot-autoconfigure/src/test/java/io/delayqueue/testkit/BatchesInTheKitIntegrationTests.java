// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.TypedQueue;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Listeners of batches in the test kit, whose time stands still. */
@DelayQueueTest(value = BatchesInTheKitIntegrationTests.Rows.class, queues = "rows")
class BatchesInTheKitIntegrationTests {

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    Rows rows;

    static class Rows {

        final List<List<String>> seen = new CopyOnWriteArrayList<>();

        @DelayQueueListener(value = "rows", maxWait = "10m")
        void insert(List<DelayedTask<String>> tasks) {
            seen.add(tasks.stream().map(DelayedTask::id).sorted().toList());
            tasks.stream()
                    .filter(task -> task.id().equals("b") && task.attempt() == 1)
                    .forEach(task -> task.fail(new IllegalStateException("b is locked")));
        }
    }

    @Test
    void advanceWhenAHandlerTakesBatchesGivesItWhatIsDueAndWaitsForNoMore() {
        TypedQueue<String> queue = tasks.queue("rows", String.class);
        queue.schedule("a", "x", Due.after(Duration.ofMinutes(5)));
        queue.schedule("b", "x", Due.after(Duration.ofMinutes(5)));
        queue.schedule("c", "x", Due.after(Duration.ofMinutes(6)));

        kit.advance(Duration.ofMinutes(5));
        assertThat(rows.seen).containsExactly(List.of("a", "b"));
        assertThat(kit.queue("rows").tasks()).extracting(task -> task.id()).containsExactlyInAnyOrder("b", "c");

        kit.advance(Duration.ofHours(1));
        assertThat(kit.queue("rows").tasks()).isEmpty();
        assertThat(rows.seen.stream().flatMap(List::stream)).containsExactlyInAnyOrder("a", "b", "b", "c");
    }
}
