// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;

/** Tests that end while Redis is down, and what the one after each of them finds. */
@DelayQueueTest(
        value = Journal.class,
        queues = {"orders", "reminders", "rounds"})
@DelayQueueServers(redis = DelayQueueServers.Redis.EMBEDDED)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ServersLeftDownIntegrationTests {

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    DelayQueueAdmin admin;

    @Autowired
    Journal journal;

    /** Nothing of the test before is there. */
    @BeforeEach
    void begin() {
        for (String queue : admin.queues()) {
            assertThat(kit.queue(queue)).hasNoTasks().hasNoDeadTasks();
            assertThat(admin.stats(queue).paused()).isFalse();
        }
        journal.entries.clear();
    }

    @Test
    @Order(1)
    void testWhenItLeavesRedisKilledDoesNotFail(RedisServer redis) {
        leaveMuch();
        redis.kill();
    }

    @Test
    @Order(2)
    void testWhenTheOneBeforeLeftRedisKilledFindsNothingOfIt(RedisServer redis) {
        delivers();
        leaveMuch();
        redis.suspend();
    }

    @Test
    @Order(3)
    void testWhenTheOneBeforeLeftRedisFrozenFindsNothingOfIt() {
        delivers();
    }

    private void leaveMuch() {
        admin.pause("reminders");
        schedule(Duration.ofDays(1));
        tasks.schedule("reminders", "reminder", Duration.ZERO);
        kit.failNext("orders", "order-1", 1);
    }

    private void delivers() {
        schedule(Duration.ZERO);
        kit.awaitDelivered("orders", "order-1");
        assertThat(journal.entries).containsExactly("order-1 at " + kit.now());
        assertThat(kit.queue("orders")).hasNoTasks().hasNoDeadTasks();
    }

    private void schedule(Duration delay) {
        tasks.schedule(ScheduleRequest.to("orders")
                .id("order-1")
                .payload("x")
                .delay(delay)
                .build());
    }
}
