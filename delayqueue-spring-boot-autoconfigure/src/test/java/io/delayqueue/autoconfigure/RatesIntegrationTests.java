// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.control.Caller;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueRates;
import io.delayqueue.internal.control.QueueRates.Minute;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The counts of two applications without settings for one queue. */
class RatesIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RedisServer redis = RedisServer.embedded().start();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.url=" + redis.uri(), "delayqueue.queues.orders.retry.max-retries=1")
            .withPropertyValues("delayqueue.queues.orders.retry.delay=10ms", "delayqueue.queues.idle=");

    @AfterEach
    void close() {
        redis.close();
    }

    private static void schedule(ApplicationContext context, String payload) {
        context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", payload, Duration.ofMillis(10)));
    }

    private static QueueRates rates(ApplicationContext context, String queue) {
        Instant now = Instant.now();
        return context.getBean(QueueControl.class)
                .rates(Caller.unknown("eve"), queue, now.minusSeconds(600), now.plusSeconds(60));
    }

    @Test
    void ratesWhenTwoProcessesScheduleAndOneDeliversAreThoseOfBothAndThenCostNothing() {
        runner.run(other -> runner.withBean(Handlers.class).run(context -> {
            assertThat(context).hasNotFailed();
            schedule(context, "good");
            schedule(other, "good");
            schedule(other, "bad");

            await().atMost(PATIENCE).untilAsserted(() -> {
                QueueRates rates = rates(other, "orders");
                assertThat(rates.minutes().stream().mapToLong(Minute::delivered).sum())
                        .isEqualTo(2);
                assertThat(rates.minutes().stream().mapToLong(Minute::failed).sum())
                        .isOne();
                assertThat(rates.minutes().stream().mapToLong(Minute::dead).sum())
                        .isOne();
                assertThat(rates.lateness().count()).as("first deliveries").isEqualTo(3);
                assertThat(rates.lateness().quantile(0.99)).isLessThan(Duration.ofSeconds(5));
            });
            assertThat(rates(context, "idle").minutes()).isEmpty();
            long written = writes();
            await().during(Duration.ofSeconds(6)).atMost(PATIENCE).until(() -> writes() == written);
        }));
    }

    /** Returns the calls of the command that nothing else sends. */
    private long writes() {
        RedisClient client = RedisClient.create(RedisURI.create(redis.adminUri()));
        try {
            return Pattern.compile("cmdstat_pexpire:calls=(\\d+)")
                    .matcher(client.connect().sync().info("commandstats"))
                    .results()
                    .mapToLong(calls -> Long.parseLong(calls.group(1)))
                    .sum();
        } finally {
            client.shutdown();
        }
    }

    static class Handlers {

        @DelayQueueListener(queue = "orders")
        void handle(String payload) {
            if (payload.equals("bad")) {
                throw new IllegalStateException("on purpose");
            }
        }
    }
}
