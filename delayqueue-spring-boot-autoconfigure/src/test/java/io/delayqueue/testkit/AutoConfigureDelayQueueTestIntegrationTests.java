// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.test.AutoConfigureDelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import io.delayqueue.test.server.EmbeddedRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * A whole application: its tasks go to RabbitMQ, it has a clock, and its properties configure a Redis server that does
 * not exist.
 */
@SpringBootTest(
        classes = KitApplication.class,
        properties = {
            "spring.data.redis.host=no-such-host.invalid",
            "delayqueue.test.embedded.rabbit=true",
            "delayqueue.queues.orders.rabbit.exchange=kit-shop",
            "delayqueue.queues.orders.rabbit.declare.exchange-type=direct",
            "delayqueue.queues.orders.rabbit.declare.queue=kit.orders",
            "delayqueue.queues.orders.retry.delay=10s",
            "delayqueue.queues.orders.retry.jitter=0"
        })
@AutoConfigureDelayQueueTest(clock = true)
@Import(AutoConfigureDelayQueueTestIntegrationTests.SystemClock.class)
class AutoConfigureDelayQueueTestIntegrationTests {

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    RabbitTemplate rabbit;

    @Autowired
    Clock clock;

    @Autowired
    EmbeddedRedis redis;

    @Autowired
    Environment environment;

    @Test
    void advanceWhenTasksGoToRabbitReturnsWhenTheBrokerHasThem() {
        tasks.schedule(requestTo("orders", "order-1", "one", Duration.ofHours(1)));
        kit.advance(Duration.ofHours(1).minusMillis(1));
        assertThat(rabbit.receiveAndConvert("kit.orders")).isNull();
        kit.failNext("orders", "order-1", 1);
        kit.advance(Duration.ofMillis(1));
        assertThat(rabbit.receiveAndConvert("kit.orders")).isNull();
        assertThat(kit.queue("orders")).hasTask("order-1").withFailures(1).dueIn(Duration.ofSeconds(10));
        kit.advance(Duration.ofSeconds(10));
        kit.awaitDelivered("orders", "order-1");
        assertThat(rabbit.receiveAndConvert("kit.orders")).isEqualTo("one");
    }

    @Test
    void clockWhenAskedForIsTheApplicationsAndMovesAlong() {
        Instant begin = clock.instant();
        assertThat(begin).isEqualTo(kit.now());
        kit.advance(Duration.ofDays(1));
        assertThat(clock.instant()).isEqualTo(begin.plus(Duration.ofDays(1)));
    }

    @Test
    void keysWhenTheKitIsThereHaveAPrefixOfTheirOwn() {
        tasks.schedule(requestTo("orders", "two", Duration.ofHours(1)));
        String prefix = environment.getRequiredProperty("delayqueue.key-prefix");
        assertThat(prefix).startsWith("dqtest-");
        assertThat(keys()).isNotEmpty().allMatch(key -> key.contains(prefix));
    }

    private List<String> keys() {
        RedisClient client = RedisClient.create(RedisURI.create(redis.uri()));
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().keys("*");
        } finally {
            client.shutdown();
        }
    }

    static class SystemClock {

        @Bean
        Clock systemClock() {
            return Clock.systemUTC();
        }
    }
}
