// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisSentinels;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.spring.data.connection.RedissonConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Applications with each Redis client deliver, with each kind of servers. */
class RedisClientsIntegrationTests {

    private static RedisServer single;
    private static RedisSentinels sentinels;
    private static RedisCluster cluster;

    /** The client of an application, if any. */
    enum Client {
        LETTUCE,
        JEDIS,
        REDISSON,
        NONE
    }

    @BeforeAll
    static void startServers() {
        single = RedisServer.embedded().start();
        sentinels = RedisSentinels.embedded().start();
        cluster = RedisCluster.embedded().start();
    }

    @AfterAll
    static void stopServers() {
        single.close();
        sentinels.close();
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource
    void oneServerThatSpringsPropertiesName(Client client) {
        assertDelivers(client, "spring.data.redis.url=" + single.uri());
    }

    @ParameterizedTest
    @EnumSource
    void oneServerThatTheOwnPropertiesName(Client client) {
        assertDelivers(client, "delayqueue.redis.url=" + single.uri(), "spring.data.redis.port=1");
    }

    @ParameterizedTest
    @EnumSource
    void sentinels(Client client) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.data.redis.sentinel.master=" + RedisSentinels.MASTER_NAME,
                "spring.data.redis.sentinel.nodes=" + nodes(sentinels.sentinelUris())));
        assertDelivers(client, properties.toArray(String[]::new));
    }

    @ParameterizedTest
    @EnumSource
    void cluster(Client client) {
        assertDelivers(client, "spring.data.redis.cluster.nodes=" + nodes(cluster.uris()));
    }

    /** Lettuce is on the class path because of the library, and Spring Boot prefers it. */
    @Test
    void jedisWhenTheClientTypeIsNotSetIsNotTheClientOfTheApplication() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.url=" + single.uri())
                .run(context -> assertThat(context.getBean(RedisConnectionFactory.class))
                        .isInstanceOf(LettuceConnectionFactory.class));
    }

    private static String nodes(List<URI> uris) {
        return uris.stream().map(uri -> uri.getHost() + ":" + uri.getPort()).collect(Collectors.joining(","));
    }

    private static void assertDelivers(Client client, String... properties) {
        application(client)
                .withBean(Listener.class)
                .withPropertyValues("delayqueue.queues.orders=", "delayqueue.key-prefix=" + client)
                .withPropertyValues("redisson=redis://" + single.host() + ":" + single.port())
                .withPropertyValues(properties)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBeansOfType(Object.class).values())
                            .as("the client of the application")
                            .filteredOn(bean -> bean.getClass().getName().endsWith("ConnectionFactory"))
                            .extracting(bean -> bean.getClass().getName())
                            .containsExactlyElementsOf(factories(client));
                    context.getBean(DelayQueueOperations.class)
                            .schedule(requestTo("orders", "order 7", Duration.ofMillis(100)));
                    await().atMost(Duration.ofSeconds(20))
                            .untilAsserted(() -> assertThat(context.getBean(Listener.class).got)
                                    .containsExactly("order 7"));
                });
    }

    private static List<String> factories(Client client) {
        return switch (client) {
            case LETTUCE -> List.of(LettuceConnectionFactory.class.getName());
            case JEDIS -> List.of(JedisConnectionFactory.class.getName());
            case REDISSON -> List.of(RedissonConnectionFactory.class.getName());
            case NONE -> List.of();
        };
    }

    private static ApplicationContextRunner application(Client client) {
        ApplicationContextRunner plain = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(DelayQueueAutoConfiguration.class));
        return switch (client) {
            case LETTUCE -> plain.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));
            case JEDIS ->
                plain.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                        .withPropertyValues("spring.data.redis.client-type=jedis");
            case REDISSON ->
                plain.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                        .withUserConfiguration(RedissonFactory.class);
            case NONE ->
                plain.withClassLoader(new FilteredClassLoader(
                        "org.springframework.data", "org.springframework.boot.data", "org.redisson", "redis.clients"));
        };
    }

    static class Listener {

        final List<String> got = new CopyOnWriteArrayList<>();

        @DelayQueueListener(queue = "orders")
        void on(String order) {
            got.add(order);
        }
    }

    /** The beans of Redisson's starter. */
    @Configuration(proxyBeanMethods = false)
    static class RedissonFactory {

        @Bean(destroyMethod = "shutdown")
        RedissonClient redisson(Environment environment) {
            Config config = new Config();
            config.useSingleServer().setAddress(environment.getRequiredProperty("redisson"));
            return Redisson.create(config);
        }

        @Bean
        RedisConnectionFactory redissonConnectionFactory(RedissonClient redisson) {
            return new RedissonConnectionFactory(redisson);
        }
    }
}
