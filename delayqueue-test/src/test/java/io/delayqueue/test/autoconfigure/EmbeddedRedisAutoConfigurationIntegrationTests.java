// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.redis.RedisTarget;
import io.delayqueue.internal.test.RedisServerConnectionDetails;
import io.delayqueue.test.server.EmbeddedRedis;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedRedisAutoConfigurationIntegrationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(EmbeddedRedisAutoConfiguration.class, DataRedisAutoConfiguration.class));

    @Test
    void nothingStartsWithoutTheProperty() {
        runner.run(context -> assertThat(context).doesNotHaveBean(EmbeddedRedis.class));
    }

    @Test
    void nothingStartsWhenFalse() {
        runner.withPropertyValues("delayqueue.test.embedded.redis=false")
                .run(context -> assertThat(context).doesNotHaveBean(EmbeddedRedis.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "auto"})
    void applicationRunsOnTheEmbeddedServer(String mode, CapturedOutput output) {
        EmbeddedRedis[] server = new EmbeddedRedis[1];
        runner.withPropertyValues("delayqueue.test.embedded.redis=" + mode).run(context -> {
            server[0] = context.getBean(EmbeddedRedis.class);
            StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
            template.opsForValue().set("key", "value");
            assertThat(template.opsForValue().get("key")).isEqualTo("value");
            assertThat(output).contains("embedded Redis 6.2", "127.0.0.1:" + server[0].port());
        });
        assertThat(server[0].isRunning()).isFalse();
    }

    @Test
    void installedServerStartsWhenThereIsNoEmbeddedOneForTheMachine(CapturedOutput output) {
        String system = System.getProperty("os.name");
        System.setProperty("os.name", "Windows 11");
        try {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(EmbeddedRedisAutoConfiguration.class))
                    .withPropertyValues("delayqueue.test.embedded.redis=true")
                    .run(context -> {
                        assertThat(context.getBean(EmbeddedRedis.class).isRunning())
                                .isTrue();
                        assertThat(output).contains("Using installed Redis");
                    });
        } finally {
            System.setProperty("os.name", system);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delayqueue.redis.url=redis://redis.test:6379",
                "delayqueue.redis.host=redis.test",
                "delayqueue.redis.sentinel.nodes=redis.test:26379",
                "spring.data.redis.url=redis://redis.test:6379",
                "spring.data.redis.host=redis.test",
                "spring.data.redis.port=6380",
                "spring.data.redis.masterreplica.nodes[0]=redis.test:6379",
                "spring.data.redis.cluster.nodes=redis.test:6379"
            })
    void nothingStartsWhenAutoAndTheApplicationNamesAServer(String property) {
        runner.withPropertyValues("delayqueue.test.embedded.redis=auto", property)
                .run(context -> assertThat(context).doesNotHaveBean(EmbeddedRedis.class));
    }

    @Test
    void serverStartsWhenTrueEvenIfTheApplicationNamesOne() {
        runner.withPropertyValues("delayqueue.test.embedded.redis=true", "spring.data.redis.host=redis.test")
                .run(context -> assertThat(context.getBean(DataRedisConnectionDetails.class)
                                .getStandalone()
                                .getHost())
                        .isEqualTo("127.0.0.1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.data.redis.url=rediss://user:password@redis.test:6380",
                "spring.data.redis.ssl.enabled=true",
                "spring.data.redis.ssl.bundle=redis",
                "spring.data.redis.cluster.nodes=redis.test:6379"
            })
    void applicationWhenItsPropertiesAskForMoreThanTheServerOffersRunsOnIt(String property) {
        runner.withPropertyValues("delayqueue.test.embedded.redis=true", property)
                .run(context -> {
                    StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
                    template.opsForValue().set("key", "value");
                    assertThat(template.opsForValue().get("key")).isEqualTo("value");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "auto"})
    void urlWhenNoServerStartsIsTheApplications(String mode) {
        runner.withPropertyValues(
                        "delayqueue.test.embedded.redis=" + mode, "spring.data.redis.url=rediss://redis.test:6380")
                .run(context -> assertThat(context.getBean(LettuceConnectionFactory.class))
                        .satisfies(factory -> assertThat(factory.isUseSsl()).isTrue())
                        .extracting(LettuceConnectionFactory::getHostName)
                        .isEqualTo("redis.test"));
    }

    @Test
    void nothingStartsWhenTheApplicationHasConnectionDetails() {
        runner.withUserConfiguration(OwnDetails.class)
                .withPropertyValues("delayqueue.test.embedded.redis=true")
                .run(context -> assertThat(context)
                        .hasSingleBean(DataRedisConnectionDetails.class)
                        .doesNotHaveBean(EmbeddedRedis.class));
    }

    @Test
    void serverForTheDelayQueuesAloneStartsWhenSpringBootsRedisModuleIsMissing() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(EmbeddedRedisAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader(DataRedisConnectionDetails.class))
                .withPropertyValues("delayqueue.test.embedded.redis=true")
                .run(context -> assertThat(context.getBean(RedisTarget.class)
                                .addresses()
                                .get(0)
                                .getPort())
                        .isEqualTo(context.getBean(EmbeddedRedis.class).port()));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnDetails {

        @Bean
        DataRedisConnectionDetails ownDetails() {
            return new RedisServerConnectionDetails(URI.create("redis://own.test"));
        }
    }
}
