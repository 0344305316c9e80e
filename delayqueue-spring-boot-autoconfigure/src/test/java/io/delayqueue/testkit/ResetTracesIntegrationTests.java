// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TaskIds;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The reset deletes the traces of tasks that a purge keeps. */
@DelayQueueTest(
        value = Journal.class,
        queues = {"orders", "reminders", "rounds"},
        properties = {
            "delayqueue.queues.orders.shards=3",
            "delayqueue.queues.orders.history=100",
            "delayqueue.queues.orders.retry.max-retries=0"
        })
class ResetTracesIntegrationTests {

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    DelayQueueAdmin admin;

    @Test
    void resetWhenADeadBacklogWasRedrivenAtAPaceLetsTheNextRedriveBeginAtOnce() {
        die(60);
        admin.redriveAll("orders", 1);
        kit.reset();
        die(1);
        admin.redriveAll("orders", 1);
        kit.awaitDelivered("orders", "order-0");
        assertThat(kit.queue("orders")).hasNoTasks();
    }

    @Test
    void resetWhenTheQueueKeepsAHistoryDeletesIt() {
        die(20);
        assertThat(admin.history("orders", "order-7")).isNotEmpty();
        kit.reset();
        for (int i = 0; i < 20; i++) {
            assertThat(admin.history("orders", "order-" + i)).isEmpty();
        }
    }

    @Test
    void resetWhenTheQueueWasReshardedLeavesTheNumberOfShardsAndNoTraceInAnyOfThem() {
        admin.reshard("orders", 5);
        die(40);
        admin.redriveAll("orders", 1);
        kit.reset();
        assertThat(admin.sharding("orders").shards()).isEqualTo(5);
        for (int i = 0; i < 40; i++) {
            assertThat(admin.history("orders", "order-" + i)).isEmpty();
        }
        die(1);
        admin.redriveAll("orders", 1);
        kit.awaitDelivered("orders", "order-0");
    }

    @Test
    void resetWhenAKeyIsClosedOrOverItsRateLetsTheNextTestStartAfresh() {
        admin.setKeyLimits("orders", "a", KeyLimits.rate(1, Duration.ofDays(1)));
        admin.closeKey("orders", "b", Instant.MAX);
        scheduleWithKeys("before");
        kit.advance(Duration.ZERO);
        assertThat(admin.stats("orders").heldBack()).isEqualTo(3);

        kit.reset();
        assertThat(admin.keyLimits("orders", "a")).isEqualTo(KeyLimits.NONE);
        assertThat(admin.keyClosedUntil("orders", "b")).isEmpty();
        scheduleWithKeys("after");
        kit.advance(Duration.ZERO);
        assertThat(kit.queue("orders")).hasNoTasks();
    }

    private void scheduleWithKeys(String name) {
        for (String key : List.of("a", "b")) {
            for (int i = 0; i < 2; i++) {
                tasks.schedule(requestTo("orders", TaskIds.of(key, null, name + i), "x", Duration.ZERO));
            }
        }
    }

    private void die(int count) {
        IntStream.range(0, count).forEach(i -> {
            kit.failNext("orders", "order-" + i, 1);
            tasks.schedule(requestTo("orders", "order-" + i, "x", Duration.ZERO));
        });
        kit.advance(Duration.ZERO);
        assertThat(kit.queue("orders")).hasNoTasks().hasDeadTaskCount(count);
    }
}
