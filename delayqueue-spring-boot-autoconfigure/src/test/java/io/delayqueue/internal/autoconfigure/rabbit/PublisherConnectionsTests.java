// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.autoconfigure.DelayQueueAutoConfiguration;
import io.delayqueue.autoconfigure.DelayQueueRabbitAutoConfiguration;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueFailureAnalyzer;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.rabbit.publisher.RabbitRoute;
import io.delayqueue.internal.rabbit.publisher.RabbitRoutes;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitRouter;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.SimpleRoutingConnectionFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The broker of the delay queues, and whether nacks count. */
class PublisherConnectionsTests {

    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    RabbitAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withPropertyValues(
                    "spring.data.redis.port=1",
                    "spring.rabbitmq.addresses=boot.example:5671",
                    "delayqueue.redis.command-timeout=100ms",
                    "delayqueue.redis.check=off",
                    "delayqueue.defaults.trigger.auto-startup=false",
                    "delayqueue.queues.orders=");
    private final ApplicationContextRunner runner = bare.withPropertyValues("delayqueue.defaults.rabbit.exchange=shop");

    @ParameterizedTest
    @ValueSource(strings = {"mailBroker", "post"})
    void aPropertyNamesTheConnectionFactoryByItsNameOrQualifier(String name) {
        runner.withUserConfiguration(SecondBroker.class)
                .withPropertyValues("delayqueue.rabbit.connection-factory=" + name)
                .run(context -> {
                    RabbitPublisher publisher = context.getBean(RabbitPublisher.class);
                    assertThat(address(publisher)).isEqualTo("mails.example:5672");
                    assertThat(publisher.connectionFactory().getUsername()).isEqualTo("postman");
                });
    }

    @Test
    void aConnectionFactoryThatIsNotThereIsRefusedWithThoseThatAre() {
        runner.withUserConfiguration(SecondBroker.class)
                .withPropertyValues("delayqueue.rabbit.connection-factory=mailbroker")
                .run(context -> assertThat(analyze(context).getDescription())
                        .contains(
                                "delayqueue.rabbit.connection-factory is 'mailbroker'",
                                "rabbitConnectionFactory",
                                "mailBroker"));
    }

    @Test
    void aConnectionFactoryThatCannotBeCopiedMayBeThereUntilAQueueNeedsOne() {
        bare.withUserConfiguration(Routing.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBeanProvider(RabbitPublisher.class).getIfAvailable())
                    .isNull();
        });
        runner.withUserConfiguration(Routing.class)
                .run(context -> assertThat(analyze(context).getAction())
                        .contains("Declare a CachingConnectionFactory", "delayqueue.rabbit.connection-factory"));
        bare.withUserConfiguration(Routing.class)
                .withBean(RabbitRouter.class, () -> task -> new RabbitAddress("shop", "due"))
                .run(context -> assertThat(context).hasFailed());
        runner.withUserConfiguration(Routing.class, SecondBroker.class)
                .withPropertyValues("delayqueue.rabbit.connection-factory=mailBroker")
                .run(context -> assertThat(address(context.getBean(RabbitPublisher.class)))
                        .isEqualTo("mails.example:5672"));
    }

    @Test
    void whetherNacksCountIsReadAndInherited() {
        runner.withPropertyValues(
                        "delayqueue.defaults.rabbit.count-nacks=true",
                        "delayqueue.queues.mails.rabbit.count-nacks=false")
                .run(context -> {
                    RabbitRoutes routes = context.getBean(RabbitRoutes.class);
                    assertThat(routes.get("orders")).isEqualTo(new RabbitRoute("shop", null, true));
                    assertThat(routes.get("mails")).isEqualTo(new RabbitRoute("shop", null, false));
                });
    }

    private static String address(RabbitPublisher publisher) throws IOException {
        return new PublisherAddresses(publisher.connectionFactory())
                .getAddresses()
                .get(0)
                .toString();
    }

    private static FailureAnalysis analyze(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new DelayQueueFailureAnalyzer(null).analyze(context.getStartupFailure());
        assertThat(analysis).as("analysis of %s", context.getStartupFailure()).isNotNull();
        return analysis;
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondBroker {

        @Bean(defaultCandidate = false)
        @Qualifier("post")
        CachingConnectionFactory mailBroker() {
            CachingConnectionFactory factory = new CachingConnectionFactory("mails.example");
            factory.setUsername("postman");
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Routing {

        @Bean
        SimpleRoutingConnectionFactory routing() {
            SimpleRoutingConnectionFactory routing = new SimpleRoutingConnectionFactory();
            routing.setTargetConnectionFactories(Map.of("tenant", new CachingConnectionFactory("tenant.example")));
            return routing;
        }
    }
}
