// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.cluster.ClusterClientOptions;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The library connects to what the application connects to, in its own way. */
class DelayQueueRedisConnectionTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class, DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class));

    @Test
    void standaloneServerAndCredentialsAreTheApplications() {
        runner.withPropertyValues(
                        "spring.data.redis.host=redis.example",
                        "spring.data.redis.port=6390",
                        "spring.data.redis.database=3",
                        "spring.data.redis.username=shop",
                        "spring.data.redis.password=secret",
                        "spring.data.redis.client-name=shop")
                .run(context -> assertOwn(context.getBean(DelayQueueRedisConnection.class), own -> {
                    RedisStandaloneConfiguration server = own.getStandaloneConfiguration();
                    assertThat(server.getHostName()).isEqualTo("redis.example");
                    assertThat(server.getPort()).isEqualTo(6390);
                    assertThat(server.getDatabase()).isEqualTo(3);
                    assertThat(server.getUsername()).isEqualTo("shop");
                    assertThat(server.getPassword()).isEqualTo(RedisPassword.of("secret"));
                    assertThat(own.getClientConfiguration().isUseSsl()).isFalse();
                    assertThat(own.getClientConfiguration().getClientName()).contains("shop-delayqueue");
                }));
    }

    @Test
    void sentinelsAreTheApplications() {
        runner.withPropertyValues(
                        "spring.data.redis.sentinel.master=shop",
                        "spring.data.redis.sentinel.nodes=s1.example:26379,s2.example:26380",
                        "spring.data.redis.sentinel.password=sentinel-secret",
                        "spring.data.redis.password=secret")
                .run(context -> assertOwn(context.getBean(DelayQueueRedisConnection.class), own -> {
                    var sentinel = own.getSentinelConfiguration();
                    assertThat(sentinel).isNotNull();
                    assertThat(sentinel.getMaster().getName()).isEqualTo("shop");
                    assertThat(sentinel.getSentinels())
                            .contains(new RedisNode("s1.example", 26379), new RedisNode("s2.example", 26380));
                    assertThat(sentinel.getPassword()).isEqualTo(RedisPassword.of("secret"));
                    assertThat(sentinel.getSentinelPassword()).isEqualTo(RedisPassword.of("sentinel-secret"));
                }));
    }

    @Test
    void clusterIsTheApplicationsAndItsTopologyIsRefreshed() {
        runner.withPropertyValues(
                        "spring.data.redis.cluster.nodes=c1.example:7000,c2.example:7001",
                        "spring.data.redis.cluster.max-redirects=4",
                        "spring.data.redis.lettuce.read-from=replica-preferred")
                .run(context -> assertOwn(context.getBean(DelayQueueRedisConnection.class), own -> {
                    var cluster = own.getClusterConfiguration();
                    assertThat(cluster).isNotNull();
                    assertThat(cluster.getClusterNodes())
                            .contains(new RedisNode("c1.example", 7000), new RedisNode("c2.example", 7001));
                    assertThat(cluster.getMaxRedirects()).isEqualTo(4);
                    assertThat(own.getClientConfiguration().getReadFrom())
                            .as("reads from the master only")
                            .isEqualTo(java.util.Optional.<ReadFrom>empty());
                    assertThat(own.getClientConfiguration().getClientOptions())
                            .get()
                            .isInstanceOfSatisfying(
                                    ClusterClientOptions.class,
                                    options -> assertThat(options.getTopologyRefreshOptions()
                                                    .isPeriodicRefreshEnabled())
                                            .isTrue());
                }));
    }

    @Test
    void sslIsTheApplications() {
        runner.withPropertyValues("spring.data.redis.ssl.enabled=true")
                .run(context -> assertOwn(context.getBean(DelayQueueRedisConnection.class), own -> {
                    assertThat(own.getClientConfiguration().isUseSsl()).isTrue();
                    assertThat(own.getClientConfiguration().getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
                }));
    }

    @Test
    void aConnectionFactoryOfTheApplicationsIsFollowed() {
        runner.withUserConfiguration(OwnFactory.class)
                .run(context -> assertOwn(context.getBean(DelayQueueRedisConnection.class), own -> {
                    assertThat(own.getStandaloneConfiguration().getHostName()).isEqualTo("own.example");
                    assertThat(own.getClientConfiguration().isUseSsl()).isTrue();
                    assertThat(own.getClientConfiguration().getVerifyMode()).isEqualTo(SslVerifyMode.CA);
                }));
    }

    @Test
    void aConnectionFactoryMadeFromAUriIsFollowed() {
        runner.withUserConfiguration(UriFactory.class)
                .run(context -> assertOwn(context.getBean(DelayQueueRedisConnection.class), own -> {
                    assertThat(own.getHostName()).isEqualTo("uri.example");
                    assertThat(own.getPort()).isEqualTo(6391);
                    assertThat(own.getStandaloneConfiguration().getPassword()).isEqualTo(RedisPassword.of("secret"));
                }));
    }

    @Test
    void ofSeveralConnectionFactoriesThePrimaryIsFollowed() {
        runner.withUserConfiguration(OwnFactory.class, OtherFactory.class).run(context -> {
            assertThat(context.getBean(RedisConnectionFactory.class)).isSameAs(context.getBean("primaryFactory"));
            assertThat(context).hasSingleBean(StringRedisTemplate.class);
            assertOwn(
                    context.getBean(DelayQueueRedisConnection.class),
                    own -> assertThat(own.getStandaloneConfiguration().getHostName())
                            .isEqualTo("primary.example"));
        });
    }

    @Test
    void timeOutAndRequestQueueAreConfigurable() {
        runner.withPropertyValues("delayqueue.redis.command-timeout=700ms", "delayqueue.redis.request-queue-size=50")
                .run(context -> {
                    LettuceClientConfiguration client = context.getBean(DelayQueueRedisConnection.class)
                            .factory()
                            .getClientConfiguration();
                    assertThat(client.getCommandTimeout()).isEqualTo(Duration.ofMillis(700));
                    assertThat(client.getClientOptions().orElseThrow().getRequestQueueSize())
                            .isEqualTo(50);
                });
    }

    @Test
    void itEndsWithTheContext() {
        runner.run(context -> {
            LettuceConnectionFactory own =
                    context.getBean(DelayQueueRedisConnection.class).factory();
            assertThat(own.isRunning()).isTrue();
            context.close();
            assertThat(own.isRunning()).isFalse();
        });
    }

    private static void assertOwn(DelayQueueRedisConnection connection, Consumer<LettuceConnectionFactory> more) {
        LettuceConnectionFactory own = connection.factory();
        LettuceClientConfiguration client = own.getClientConfiguration();
        assertThat(client.getCommandTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(client.getClientOptions().orElseThrow().getDisconnectedBehavior())
                .isEqualTo(DisconnectedBehavior.REJECT_COMMANDS);
        assertThat(client.getClientOptions().orElseThrow().getRequestQueueSize())
                .isEqualTo(10_000);
        more.accept(own);
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFactory {

        @Bean
        LettuceConnectionFactory ownFactory() {
            return new LettuceConnectionFactory(
                    new RedisStandaloneConfiguration("own.example"),
                    LettuceClientConfiguration.builder()
                            .useSsl()
                            .verifyPeer(SslVerifyMode.CA)
                            .build());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UriFactory {

        @Bean
        LettuceConnectionFactory uriFactory() {
            return new LettuceConnectionFactory(
                    LettuceConnectionFactory.createRedisConfiguration("redis://:secret@uri.example:6391"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherFactory {

        @Bean
        @Primary
        LettuceConnectionFactory primaryFactory() {
            return new LettuceConnectionFactory("primary.example", 6379);
        }
    }
}
