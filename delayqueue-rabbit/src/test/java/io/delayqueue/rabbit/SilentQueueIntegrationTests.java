// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A queue whose messages wait for their confirms, while others on the same channel get theirs. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class SilentQueueIntegrationTests extends SilentQueueScene {

    SilentQueueIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        super(redis, rabbit, 3);
    }

    @Test
    void tasksWhenTheirConfirmNeverComesAreCountedBackedOffAndAtLastDeadAndTheOthersAreDelivered() throws Exception {
        String target = declareWithSilentQueue(Map.of());
        scenario.schedule("silent-", 5, 20);
        scenario.schedule("task-", 5, 20);

        scenario.start(target, delivery -> delivery.id().startsWith("silent-") ? silent() : target);

        assertThat(scenario.awaitDead("silent-0")).isEqualTo(TIMED_OUT);
        scenario.awaitEmpty(Duration.ofSeconds(40));
        for (int i = 0; i < 5; i++) {
            assertThat(scenario.find("silent-" + i).failures()).isEqualTo(3);
            assertThat(scenario.find("silent-" + i).lastReason()).isEqualTo(TIMED_OUT);
        }
        assertThat(broker.drainCounts(target))
                .hasSize(5)
                .allSatisfy((id, copies) -> assertThat(copies).isEqualTo(1));
        resume();
        assertThat(broker.drainCounts(silent()))
                .hasSize(5)
                .allSatisfy((id, copies) ->
                        assertThat(copies).as("one for each attempt").isEqualTo(3));
    }
}
