// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Applications with listener methods on one Redis. Each test has keys of its own. */
abstract class ListenerScene {

    static final Duration PATIENCE = Duration.ofSeconds(10);
    static final RedisServer REDIS = RedisServer.embedded().start();

    final String prefix = "t" + System.nanoTime();
    final ApplicationContextRunner runner;

    ListenerScene(String... properties) {
        runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.url=" + REDIS.uri(),
                        "delayqueue.key-prefix=" + prefix,
                        "delayqueue.defaults.retry.delay=20ms",
                        "delayqueue.defaults.retry.max-retries=1",
                        "delayqueue.queues.orders.shards=1",
                        "delayqueue.queues.later.shards=1")
                .withPropertyValues(properties);
    }

    static String schedule(ApplicationContext context, String queue, Object payload) {
        return context.getBean(DelayQueueOperations.class)
                .schedule(requestTo(queue, payload, Duration.ZERO))
                .id();
    }

    static FoundTask<EncodedPayload> awaitDead(ApplicationContext context, String queue, String id) {
        return await().atMost(PATIENCE)
                .until(
                        () -> context.getBean(DelayQueueOperations.class).find(queue, id),
                        found -> found.map(FoundTask::state).equals(Optional.of(TaskState.DEAD)))
                .orElseThrow();
    }
}
