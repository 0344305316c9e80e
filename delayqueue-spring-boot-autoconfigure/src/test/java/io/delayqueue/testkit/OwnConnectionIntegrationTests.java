// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import io.delayqueue.test.junit.DelayQueueServers;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.test.context.TestContextManager;

/**
 * The application configures a Redis server that does not exist, in each possible way. The tasks of its tests do not go
 * there.
 */
class OwnConnectionIntegrationTests {

    private static final String HOST = "no-such-host.invalid";

    @ParameterizedTest
    @ValueSource(
            classes = {
                NamedHost.class,
                NamedFactory.class,
                OwnFactory.class,
                OwnCluster.class,
                BesideSharedServers.class
            })
    void tasksOfATestGoToTheServerThatWasStartedForIt(Class<?> test) {
        try (ConfigurableApplicationContext context = (ConfigurableApplicationContext)
                new TestContextManager(test).getTestContext().getApplicationContext()) {
            context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", "x", Duration.ofMinutes(15)));
            context.getBean(DelayQueueTestKit.class).advance(Duration.ofMinutes(15));
            assertThat(context.getBean(Journal.class).entries).hasSize(1);
        }
    }

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"},
            properties = "delayqueue.redis.host=" + HOST)
    static final class NamedHost {}

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"},
            properties = "delayqueue.redis.connection-factory=timers")
    @Import(FactoryToNowhere.class)
    static final class NamedFactory {}

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"})
    @Import(FactoryToNowhere.class)
    static final class OwnFactory {}

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"})
    @Import(FactoryToACluster.class)
    static final class OwnCluster {}

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"})
    @DelayQueueServers
    @Import(FactoryToNowhere.class)
    static final class BesideSharedServers {}

    static class FactoryToNowhere {

        @Bean
        LettuceConnectionFactory timers() {
            return new LettuceConnectionFactory(HOST, 6379);
        }
    }

    static class FactoryToACluster {

        @Bean
        LettuceConnectionFactory timers() {
            return new LettuceConnectionFactory(new RedisClusterConfiguration().clusterNode(HOST, 7000));
        }
    }
}
