// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import io.delayqueue.test.junit.DelayQueueServers;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The application's properties name an encrypted Redis, and the servers of tests have no TLS. */
class EncryptedRedisUrlIntegrationTests {

    private static final String URL = "spring.data.redis.url=rediss://user:password@no-such-host.invalid:6380";

    private static void scheduleAndAdvance(DelayQueueOperations tasks, DelayQueueTestKit kit, Journal journal) {
        tasks.schedule(ScheduleRequest.to("orders")
                .payload("x")
                .dueIn(Duration.ofMinutes(15))
                .build());
        kit.advance(Duration.ofMinutes(15));
        assertThat(journal.entries).hasSize(1);
    }

    @Nested
    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"},
            properties = URL)
    class OnTheEmbeddedRedis {

        @Test
        void advanceWhenTheUrlAsksForTlsDelivers(
                @Autowired DelayQueueOperations tasks, @Autowired DelayQueueTestKit kit, @Autowired Journal journal) {
            scheduleAndAdvance(tasks, kit, journal);
        }
    }

    @Nested
    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"},
            properties = URL)
    @DelayQueueServers
    class OnASharedRedis {

        @Test
        void advanceWhenTheUrlAsksForTlsDelivers(
                @Autowired DelayQueueOperations tasks, @Autowired DelayQueueTestKit kit, @Autowired Journal journal) {
            scheduleAndAdvance(tasks, kit, journal);
        }
    }
}
