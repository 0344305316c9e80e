// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TaskStoreException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import io.delayqueue.test.server.EmbeddedRedis;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The reset of a kit whose Redis is down and stays down. */
@DelayQueueTest(
        value = Journal.class,
        queues = {"orders", "reminders", "rounds"},
        properties = "delayqueue.test.timeout=3s")
class ResetWithoutRedisIntegrationTests {

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    DelayQueueAdmin admin;

    @Autowired
    EmbeddedRedis redis;

    @AfterEach
    void startAgain() {
        redis.start();
    }

    @Test
    void resetWhenRedisDoesNotAnswerSaysSoAndForgetsNevertheless() {
        kit.failNext("reminders", "reminder-1", 1);
        redis.kill();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(kit::reset)
                .withMessageContaining("The queues could not be paused and emptied")
                .withMessageContaining("Redis cannot be reached")
                .satisfies(error -> assertThat(error.getSuppressed()).hasSize(7));
        redis.start();
        await().ignoreExceptionsInstanceOf(TaskStoreException.class)
                .until(() -> admin.queues().stream()
                        .noneMatch(queue -> admin.stats(queue).paused()));
        schedule(Duration.ZERO);
        kit.advance(Duration.ZERO);
        assertThat(kit.queue("reminders")).hasNoTasks();
    }

    @Test
    void resetWhenRedisComesBackMeanwhileIsDone() {
        schedule(Duration.ofDays(1));
        redis.kill();
        redis.start();
        kit.reset();
        assertThat(kit.queue("reminders")).hasNoTasks();
    }

    private void schedule(Duration delay) {
        tasks.schedule(requestTo("reminders", "reminder-1", "x", delay));
    }
}
