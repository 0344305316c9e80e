// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A queue that makes the broker hold back a whole channel, like a quorum queue without a majority. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class HeldBackChannelIntegrationTests extends SilentQueueScene {

    /** Each attempt of each task takes a separate time-out. */
    private static final int MAX_ATTEMPTS = 2;

    HeldBackChannelIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        super(redis, rabbit, MAX_ATTEMPTS);
    }

    @Test
    void tasksWhenASilentQueueHoldsBackTheirChannelAreDeliveredApartFromThoseForItAndNotCounted() throws Exception {
        String target = declareWithSilentQueue(Map.of("x-queue-type", "quorum"));
        scenario.schedule("silent-", 3, 20);
        scenario.schedule("task-", 5, 20);
        AtomicInteger connections = new AtomicInteger();
        scenario.publisher.connectionFactory().addConnectionListener(connection -> connections.incrementAndGet());
        scenario.start(target, delivery -> delivery.id().startsWith("silent-") ? silent() : target);

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(scenario.find("silent-0").failures()).isEqualTo(1));
        await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertGone("task-", 5));
        // so few that they are done before a time-out is over, which they would wait for if they were held back
        scenario.schedule("more-", 2, 20);
        await().atMost(Scenario.CONFIRM_TIMEOUT).untilAsserted(() -> assertGone("more-", 2));
        scenario.schedule("silent-more-", 1, 20);
        scenario.schedule("last-", 2, 20);
        await().atMost(Scenario.CONFIRM_TIMEOUT).untilAsserted(() -> assertGone("last-", 2));
        assertThat(scenario.awaitDead("silent-0")).isEqualTo(TIMED_OUT);
        scenario.awaitEmpty(Duration.ofSeconds(40));

        assertThat(scenario.stats().dead()).isEqualTo(4);
        assertThat(scenario.find("silent-1").failures()).isEqualTo(MAX_ATTEMPTS);
        assertThat(broker.drain(target))
                .extracting(message -> message.getProps().getHeaders().get(RabbitHeaders.ATTEMPT))
                .as("no failure of theirs was counted")
                .hasSizeGreaterThanOrEqualTo(9)
                .containsOnly(1);
        assertThat(connections).hasValue(1);
    }

    private void assertGone(String prefix, int tasks) {
        for (int i = 0; i < tasks; i++) {
            assertThat(scenario.isThere(prefix + i)).as(prefix + i).isFalse();
        }
    }
}
