// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A queue that confirms nothing for a while, and then all that it was sent. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class SilentQueueRecoveryIntegrationTests extends SilentQueueScene {

    /** More than a task can use up while the broker's command line starts. */
    private static final int MAX_ATTEMPTS = 100;

    SilentQueueRecoveryIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        super(redis, rabbit, MAX_ATTEMPTS);
    }

    @Test
    void taskWhenTheQueueConfirmsAgainIsDeliveredWithItsFailuresCounted() throws Exception {
        String target = declareWithSilentQueue(Map.of());
        scenario.schedule("silent-", 1, 20);
        scenario.start(target, silent());
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () -> assertThat(scenario.find("silent-0").failures()).isPositive());

        resume();

        scenario.awaitEmpty(Duration.ofSeconds(20));
        assertThat(scenario.stats().dead()).isZero();
        assertThat(broker.drainCounts(silent())).containsOnlyKeys("silent-0");
    }
}
