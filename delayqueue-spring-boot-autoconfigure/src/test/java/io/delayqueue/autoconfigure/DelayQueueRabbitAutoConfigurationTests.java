// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.autoconfigure.rabbit.PublisherAddresses;
import io.delayqueue.internal.autoconfigure.rabbit.RabbitSettings;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueFailureAnalyzer;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.publisher.RabbitDeclaration;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.rabbit.publisher.RabbitRoute;
import io.delayqueue.internal.rabbit.publisher.RabbitRoutes;
import io.delayqueue.internal.rabbit.trigger.DelayQueueMessageConverter;
import io.delayqueue.internal.test.AmqpServerConnectionDetails;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitRouter;
import io.delayqueue.rabbit.RabbitScanTrigger;
import io.delayqueue.trigger.ScanTrigger;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.amqp.autoconfigure.ConnectionFactoryCustomizer;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class DelayQueueRabbitAutoConfigurationTests {

    private static final RabbitAddress ANYWHERE = new RabbitAddress("", "anywhere");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    RabbitAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withPropertyValues(
                    "spring.data.redis.port=1",
                    "spring.rabbitmq.port=1",
                    "delayqueue.redis.command-timeout=100ms",
                    "delayqueue.redis.check=off",
                    "delayqueue.defaults.trigger.auto-startup=false");

    private final ApplicationContextRunner publishing =
            runner.withPropertyValues("delayqueue.queues.published.rabbit.exchange=shop");

    @Test
    void anExchangeWithoutSpringRabbitIsRefused() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"))
                .withPropertyValues(
                        "delayqueue.defaults.trigger.auto-startup=true",
                        "delayqueue.queues.orders.rabbit.exchange=shop")
                .run(context -> {
                    FailureAnalysis analysis = analyze(context);
                    assertThat(analysis.getDescription())
                            .contains("delayqueue.queues.orders.rabbit.exchange", "no RabbitMQ ConnectionFactory");
                    assertThat(analysis.getAction()).contains("spring-boot-starter-amqp");
                });
    }

    @Test
    void anExchangeWithoutSpringRabbitIsNotRefusedInAProcessThatOnlySchedules() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"))
                .withPropertyValues("delayqueue.queues.orders.rabbit.exchange=shop")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ScanTrigger.class));
    }

    @Test
    void nothingIsThereWhenRabbitIsTurnedOffAndQueuesWithAnExchangeWait() {
        runner.withPropertyValues(
                        "delayqueue.rabbit.enabled=false",
                        "delayqueue.queues.orders.rabbit.exchange=shop",
                        "delayqueue.queues.orders.dead.exchange=dead")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(RabbitPublisher.class)
                        .doesNotHaveBean(ScanTrigger.class));
    }

    @Test
    void aTriggerBeanWaitsWhenRabbitIsTurnedOff() {
        runner.withPropertyValues(
                        "delayqueue.rabbit.enabled=false",
                        "delayqueue.defaults.trigger.auto-startup=true",
                        "delayqueue.queues.orders.rabbit.exchange=shop")
                .withBean(RabbitScanTrigger.class, () -> new RabbitScanTrigger("orders") {})
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(ScanTrigger.class).isRunning()).isFalse();
                });
    }

    @Test
    void aSliceWithoutRabbitStartsThoughQueuesHaveAnExchange() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        JacksonAutoConfiguration.class,
                        DelayQueueAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.port=1",
                        "delayqueue.redis.command-timeout=100ms",
                        "delayqueue.queues.orders.rabbit.exchange=shop",
                        "delayqueue.queues.orders.dead.exchange=dead")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ScanTrigger.class));
    }

    @Test
    void anExchangeWhoseConnectionFactoryWasExcludedIsRefused() {
        // a run on another Spring Boot may already exclude some
        String already = System.getProperty("spring.autoconfigure.exclude");
        String others = already == null ? "" : already + ",";
        new ApplicationContextRunner()
                .withUserConfiguration(WholeApplication.class)
                .withPropertyValues(
                        "spring.autoconfigure.exclude=" + others + RabbitAutoConfiguration.class.getName(),
                        "spring.data.redis.port=1",
                        "delayqueue.redis.command-timeout=100ms",
                        "delayqueue.queues.orders.rabbit.exchange=shop")
                .run(context -> {
                    FailureAnalysis analysis = analyze(context);
                    assertThat(analysis.getDescription())
                            .contains("delayqueue.queues.orders.rabbit.exchange sends the tasks of queue 'orders'");
                    assertThat(analysis.getAction())
                            .contains(
                                    "do not exclude " + RabbitAutoConfiguration.class.getName(),
                                    "delayqueue.rabbit.enabled");
                });
    }

    @Test
    void theApplicationsConnectionFactoryStaysTheOnlyOne() {
        publishing.run(context -> {
            assertThat(context).hasSingleBean(ConnectionFactory.class).hasSingleBean(RabbitTemplate.class);
            assertThat(own(context)).isNotSameAs(context.getBean(ConnectionFactory.class));
            assertThat(own(context).getRabbitConnectionFactory())
                    .isNotSameAs(context.getBean(CachingConnectionFactory.class).getRabbitConnectionFactory());
        });
    }

    @Test
    void thePublisherConnectsAsTheApplicationDoesButInItsOwnTime() {
        publishing
                .withUserConfiguration(Customizer.class)
                .withPropertyValues(
                        "spring.rabbitmq.addresses=r1.example:5673,r2.example:5674",
                        "spring.rabbitmq.username=shop",
                        "spring.rabbitmq.password=secret",
                        "spring.rabbitmq.virtual-host=/orders",
                        "spring.rabbitmq.channel-rpc-timeout=10m")
                .run(context -> {
                    CachingConnectionFactory own = own(context);
                    com.rabbitmq.client.ConnectionFactory client = own.getRabbitConnectionFactory();
                    assertThat(own.getUsername()).isEqualTo("shop");
                    assertThat(client.getPassword()).isEqualTo("secret");
                    assertThat(own.getVirtualHost()).isEqualTo("/orders");
                    assertThat(new PublisherAddresses(own).getAddresses())
                            .extracting(Object::toString)
                            .containsExactly("r1.example:5673", "r2.example:5674");
                    assertThat(client.getChannelRpcTimeout()).isEqualTo(5000);
                    assertThat(client.getRequestedFrameMax())
                            .as("customizers apply")
                            .isEqualTo(12345);
                    assertThat(client.isSSL()).isFalse();
                    assertThat(context.getBean(CachingConnectionFactory.class)
                                    .getRabbitConnectionFactory()
                                    .getChannelRpcTimeout())
                            .as("the application's is left alone")
                            .isEqualTo(600_000);
                });
    }

    @Test
    void thePublisherConnectsAsConnectionDetailsSay() {
        publishing
                .withBean(
                        RabbitConnectionDetails.class,
                        () -> new AmqpServerConnectionDetails(
                                URI.create("amqp://shop:secret@details.example:5679/orders")))
                .run(context -> {
                    assertThat(own(context).getUsername()).isEqualTo("shop");
                    assertThat(own(context).getVirtualHost()).isEqualTo("orders");
                    assertThat(new PublisherAddresses(own(context)).getAddresses())
                            .extracting(Object::toString)
                            .containsExactly("details.example:5679");
                });
    }

    @Test
    void addressesWhenTheApplicationsResolverFailsAreThoseOfABrokerThatIsDown() {
        CachingConnectionFactory factory = new CachingConnectionFactory();
        factory.setAddressResolver(() -> {
            throw new UnknownHostException("brokers.example");
        });

        assertThatExceptionOfType(UnknownHostException.class)
                .isThrownBy(() -> new PublisherAddresses(factory).getAddresses())
                .withMessage("brokers.example");
    }

    @Test
    void aConnectionFactoryOfTheApplicationsIsFollowed() {
        publishing.withUserConfiguration(OwnFactory.class).run(context -> {
            CachingConnectionFactory own = own(context);
            assertThat(own).isNotSameAs(context.getBean(CachingConnectionFactory.class));
            assertThat(own.getUsername()).isEqualTo("own-user");
            assertThat(new PublisherAddresses(context.getBean(CachingConnectionFactory.class)).getAddresses())
                    .extracting(Object::toString)
                    .containsExactly("own1.example:5671", "own2.example:5672");
            assertThat(context.getBean(CachingConnectionFactory.class)
                            .getRabbitConnectionFactory()
                            .getChannelRpcTimeout())
                    .isEqualTo(60_000);
        });
    }

    @Test
    void severalConnectionFactoriesWithoutAPrimaryAreRefused() {
        runner.withUserConfiguration(OwnFactory.class, OtherFactory.class)
                .withPropertyValues("delayqueue.queues.orders.rabbit.exchange=shop")
                .run(context -> assertThat(analyze(context).getDescription())
                        .contains("one RabbitMQ ConnectionFactory, but there are 2"));
    }

    @Test
    void theConfirmTimeoutOfThePublisherIsConfigurable() {
        publishing
                .withPropertyValues("delayqueue.rabbit.confirm-timeout=3s")
                .run(context -> assertThat(
                                context.getBean(RabbitPublisher.class).options())
                        .isEqualTo(new RabbitPublisherOptions(
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(5),
                                "delayqueue-publisher")));
    }

    /** The empty name is that of RabbitMQ's default exchange. */
    @Test
    void routesAreReadAndInherited() {
        runner.withPropertyValues(
                        "delayqueue.defaults.rabbit.exchange=shop",
                        "delayqueue.queues.orders.rabbit.routing-key=order.timeout",
                        "delayqueue.queues.mails.rabbit.exchange=",
                        "delayqueue.defaults.dead.exchange=dead",
                        "delayqueue.queues.mails.dead.exchange=")
                .run(context -> {
                    DelayQueueProperties properties = context.getBean(DelayQueueProperties.class);
                    assertThat(properties.queue("orders").dead().exchange()).isEqualTo("dead");
                    assertThat(properties.queue("mails").dead().exchange()).isEmpty();
                    RabbitRoutes routes = context.getBean(RabbitRoutes.class);
                    assertThat(routes.get("orders")).isEqualTo(new RabbitRoute("shop", "order.timeout"));
                    assertThat(routes.get("mails")).isEqualTo(new RabbitRoute("", null));
                });
    }

    @Test
    void aQueueThatARouterNamesHasATriggerWithoutAnExchange() {
        runner.withBean(RabbitRouter.class, () -> RabbitRouter.forQueue("orders", task -> ANYWHERE))
                .withPropertyValues("delayqueue.queues.orders=", "delayqueue.queues.plain=")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(ScanTrigger.class);
                    assertThat(context.getBean(RabbitScanTrigger.class).queue()).isEqualTo("orders");
                });
    }

    @Test
    void aRouterForAllQueuesMakesNoTriggerForAQueueWithoutAnExchange() {
        runner.withBean(RabbitRouter.class, () -> task -> ANYWHERE)
                .withPropertyValues("delayqueue.queues.orders=")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ScanTrigger.class));
    }

    @Test
    void aRouterThatNamesAQueueThatIsNotConfiguredIsRefused() {
        runner.withBean(RabbitRouter.class, () -> RabbitRouter.forQueue("ordres", task -> ANYWHERE))
                .withPropertyValues("delayqueue.queues.orders=")
                .run(context -> assertThat(analyze(context).getDescription())
                        .contains("names the queue 'ordres'", "Configured queues: [orders]"));
    }

    @Test
    void twoRoutersForOneQueueAreRefused() {
        runner.withBean("one", RabbitRouter.class, () -> task -> ANYWHERE)
                .withBean("two", RabbitRouter.class, () -> task -> ANYWHERE)
                .withPropertyValues("delayqueue.queues.orders.rabbit.exchange=shop")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("Queue 'orders' has 2 RabbitRouter beans"));
    }

    @Test
    void routerWhenItIsNoCandidateForInjectionDoesNotCount() {
        runner.withBean("one", RabbitRouter.class, () -> task -> ANYWHERE)
                .withBean("other", RabbitRouter.class, () -> task -> ANYWHERE, it -> it.setAutowireCandidate(false))
                .withPropertyValues("delayqueue.queues.orders=")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aRouterThatNamesAQueueWithAHandlerIsRefused() {
        runner.withBean(RabbitRouter.class, () -> RabbitRouter.forQueue("orders", task -> ANYWHERE))
                .withBean(Handling.class, Handling::new)
                .withPropertyValues("delayqueue.queues.orders=")
                .run(context -> assertThat(analyze(context).getDescription())
                        .contains("Queue 'orders' has a handler", "a RabbitRouter bean or an intake that names it"));
    }

    static class Handling {

        @DelayQueueListener(queue = "orders")
        void handle(String payload) {}
    }

    @Test
    void aQueueWithAnExchangeHasATriggerInALazyApplicationToo() {
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withPropertyValues("delayqueue.queues.orders.rabbit.exchange=shop")
                .run(context -> assertThat(context).hasSingleBean(RabbitScanTrigger.class));
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withPropertyValues("delayqueue.queues.orders.lease=0s")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void aTriggerOfTheApplicationsWins() {
        runner.withUserConfiguration(OwnTriggerConfiguration.class)
                .withPropertyValues("delayqueue.queues.orders.rabbit.exchange=shop")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(ScanTrigger.class)
                        .hasBean("ownTrigger"));
    }

    @Test
    void aMessageConverterOfTheApplicationsWins() {
        runner.withUserConfiguration(OwnConverter.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(MessageConverter.class)
                        .doesNotHaveBean(DelayQueueMessageConverter.class));
    }

    @Test
    void nothingIsDeclaredUnlessAsked() {
        runner.withPropertyValues("delayqueue.queues.orders.rabbit.exchange=shop")
                .run(context -> assertThat(declarations(context)).isEmpty());
    }

    @Test
    void aDeclarationWithoutItsExchangeIsRefused() {
        runner.withPropertyValues("delayqueue.queues.orders.rabbit.declare.exchange-type=direct")
                .run(context -> assertThat(analyze(context).getDescription())
                        .contains(
                                "delayqueue.queues.orders.rabbit.exchange is missing",
                                "delayqueue.queues.orders.rabbit.declare.exchange-type"));
        runner.withPropertyValues(
                        "delayqueue.queues.orders.rabbit.exchange=shop",
                        "delayqueue.queues.orders.rabbit.declare.queue=orders.close")
                .run(context -> assertThat(analyze(context).getDescription())
                        .contains("delayqueue.queues.orders.rabbit.declare.exchange-type is missing"));
    }

    @ParameterizedTest
    @CsvSource({"9s", "4s"})
    void aLeaseBelowTwiceTheConfirmTimeoutIsRefused(String lease) {
        runner.withPropertyValues(
                        "delayqueue.queues.orders.rabbit.exchange=shop", "delayqueue.queues.orders.lease=" + lease)
                .run(context -> {
                    FailureAnalysis analysis = analyze(context);
                    assertThat(analysis.getDescription())
                            .contains(
                                    "The property delayqueue.queues.orders.lease is '" + lease + "'",
                                    "at least twice delayqueue.rabbit.confirm-timeout (5s)");
                    assertThat(analysis.getAction()).contains("Set delayqueue.queues.orders.lease");
                });
        runner.withPropertyValues(
                        "delayqueue.defaults.lease=" + lease,
                        "delayqueue.queues.orders.rabbit.exchange=shop",
                        "delayqueue.rabbit.confirm-timeout=10s")
                .run(context -> assertThat(analyze(context).getDescription())
                        .contains(
                                "The property delayqueue.queues.orders.lease is '" + lease + "'",
                                "at least twice delayqueue.rabbit.confirm-timeout (10s)"));
    }

    private static List<RabbitDeclaration> declarations(AssertableApplicationContext context) {
        return List.copyOf(context.getBean(RabbitSettings.class).declarations());
    }

    private static CachingConnectionFactory own(AssertableApplicationContext context) {
        return context.getBean(RabbitPublisher.class).connectionFactory();
    }

    private static FailureAnalysis analyze(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        FailureAnalysis analysis = new DelayQueueFailureAnalyzer(null).analyze(context.getStartupFailure());
        assertThat(analysis).as("analysis of %s", context.getStartupFailure()).isNotNull();
        return analysis;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WholeApplication {}

    @Configuration(proxyBeanMethods = false)
    static class Customizer {

        @Bean
        ConnectionFactoryCustomizer customizer() {
            return client -> client.setRequestedFrameMax(12345);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnFactory {

        @Bean
        CachingConnectionFactory ownFactory() {
            CachingConnectionFactory factory = new CachingConnectionFactory();
            factory.setAddresses("own1.example:5671,own2.example:5672");
            factory.setUsername("own-user");
            factory.getRabbitConnectionFactory().setChannelRpcTimeout(60_000);
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherFactory {

        @Bean
        CachingConnectionFactory otherFactory() {
            return new CachingConnectionFactory("other.example");
        }

        /** Boot's own would refuse the two first. */
        @Bean
        Object rabbitListenerContainerFactory() {
            return new Object();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConverter {

        @Bean
        MessageConverter ownConverter() {
            return new JacksonJsonMessageConverter();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTriggerConfiguration {

        @Bean
        ScanTrigger ownTrigger() {
            return new ScanTrigger("orders") {

                @Override
                protected TaskDestination createDestination() {
                    return deliveries -> {};
                }
            };
        }
    }
}
