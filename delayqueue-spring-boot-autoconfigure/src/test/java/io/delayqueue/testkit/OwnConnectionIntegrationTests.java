// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.autoconfigure.DelayQueueRedisConnection;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.EmbeddedRedis;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.test.context.TestContextManager;

/** The application has a connection of its own, to a Redis that there is not. */
class OwnConnectionIntegrationTests {

    private static final String HOST = "no-such-host.invalid";

    @ParameterizedTest
    @ValueSource(classes = {OwnBean.class, OwnBeanBesideSharedServers.class})
    void contextWhenTheConnectionIsTheApplicationsDoesNotStart(Class<?> test) {
        assertRefused(test, "the bean 'timers' of type DelayQueueRedisConnection");
    }

    @Test
    void contextWhenAPropertyNamesAnotherFactoryDoesNotStart() {
        assertRefused(NamedFactory.class, "delayqueue.redis.connection-factory=timers");
    }

    @ParameterizedTest
    @ValueSource(classes = {OwnFactory.class, OwnCluster.class})
    void contextWhenTheFactoryIsTheApplicationsDoesNotStart(Class<?> test) {
        assertRefused(test, "the bean of type RedisConnectionFactory, the only or primary one of [timers]");
    }

    @Test
    void contextWhenATestsBeanConnectsToTheEmbeddedRedisStarts() {
        try (ConfigurableApplicationContext context = context(BeanForTests.class)) {
            context.getBean(DelayQueueOperations.class)
                    .schedule(ScheduleRequest.to("orders")
                            .payload("x")
                            .dueIn(Duration.ofMinutes(15))
                            .build());
            context.getBean(DelayQueueTestKit.class).advance(Duration.ofMinutes(15));
            assertThat(context.getBean(Journal.class).entries).hasSize(1);
        }
    }

    @Test
    void contextWhenNoEmbeddedRedisIsWantedConnectsAsTheApplicationDoes() {
        try (ConfigurableApplicationContext context = context(WithoutEmbeddedRedis.class)) {
            assertThat(context.getBean(DelayQueueRedisConnection.class)
                            .factory()
                            .getHostName())
                    .isEqualTo(HOST);
        }
    }

    private static void assertRefused(Class<?> test, String origin) {
        assertThatThrownBy(() -> context(test))
                .rootCause()
                .hasMessageContainingAll(
                        HOST, "127.0.0.1", origin, "delayqueue.test.embedded.redis=false", "RedisConnectionFactory");
    }

    private static ConfigurableApplicationContext context(Class<?> test) {
        return (ConfigurableApplicationContext)
                new TestContextManager(test).getTestContext().getApplicationContext();
    }

    private static LettuceConnectionFactory nowhere() {
        return new LettuceConnectionFactory(new RedisStandaloneConfiguration(HOST, 6379));
    }

    @DelayQueueTest(value = Journal.class, queues = "orders")
    @Import(ConnectionToNowhere.class)
    static final class OwnBean {}

    @DelayQueueTest(value = Journal.class, queues = "orders")
    @DelayQueueServers
    @Import(ConnectionToNowhere.class)
    static final class OwnBeanBesideSharedServers {}

    @DelayQueueTest(value = Journal.class, queues = "orders", properties = "delayqueue.redis.connection-factory=timers")
    @Import(SecondFactory.class)
    static final class NamedFactory {}

    @DelayQueueTest(value = Journal.class, queues = "orders")
    @Import(FactoryToNowhere.class)
    static final class OwnFactory {}

    @DelayQueueTest(value = Journal.class, queues = "orders")
    @Import(FactoryToACluster.class)
    static final class OwnCluster {}

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"})
    @Import({ConnectionToNowhere.class, ConnectionForTests.class})
    static final class BeanForTests {}

    @DelayQueueTest(properties = {"delayqueue.test.embedded.redis=false", "delayqueue.redis.check=off"})
    @Import(ConnectionToNowhere.class)
    static final class WithoutEmbeddedRedis {}

    static class ConnectionToNowhere {

        @Bean
        DelayQueueRedisConnection timers(DelayQueueProperties properties) {
            return DelayQueueRedisConnection.derivedFrom(nowhere(), properties);
        }
    }

    static class ConnectionForTests {

        @Bean
        @Primary
        DelayQueueRedisConnection timersOfTests(EmbeddedRedis redis, DelayQueueProperties properties) {
            return DelayQueueRedisConnection.derivedFrom(
                    new LettuceConnectionFactory(new RedisStandaloneConfiguration("localhost", redis.port())),
                    properties);
        }
    }

    static class SecondFactory {

        @Bean(defaultCandidate = false)
        LettuceConnectionFactory timers() {
            return nowhere();
        }
    }

    static class FactoryToNowhere {

        @Bean
        LettuceConnectionFactory timers() {
            return nowhere();
        }
    }

    static class FactoryToACluster {

        @Bean
        LettuceConnectionFactory timers() {
            return new LettuceConnectionFactory(new RedisClusterConfiguration().clusterNode(HOST, 7000));
        }
    }
}
