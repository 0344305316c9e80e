// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.autoconfigure.settings.CheckedProperties;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.registry.DefaultHealthContributorRegistry;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.StandardEnvironment;

class UnusedBrokerHealthTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delayqueue.queues.exchange.lease=45s",
                "delayqueue.queues.exchange=",
                "delayqueue.queues[shop.exchange].shards=2"
            })
    void aQueueThatIsNamedExchangeIsNoSignOfABroker(String property) {
        assertThat(keepsHealthOfRabbit(property)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "delayqueue.queues.orders.rabbit.exchange=shop",
                "delayqueue.queues.orders.dead.exchange=dead",
                "delayqueue.defaults.rabbit.exchange=shop",
                "spring.rabbitmq.host=broker.example"
            })
    void anExchangeOrAHostIsASignOfABroker(String property) {
        assertThat(keepsHealthOfRabbit(property)).isTrue();
    }

    private static boolean keepsHealthOfRabbit(String property) {
        StandardEnvironment environment = new StandardEnvironment();
        TestPropertyValues.of(property).applyTo(environment);
        ConfigurationPropertySources.attach(environment);
        DelayQueueProperties properties = Binder.get(environment)
                .bindOrCreate(
                        "delayqueue",
                        Bindable.of(DelayQueueProperties.class),
                        new CheckedProperties(new PropertySourcesPlaceholdersResolver(environment))
                                .apply(BindHandler.DEFAULT));
        DefaultHealthContributorRegistry registry = new DefaultHealthContributorRegistry();
        registry.registerContributor(
                "rabbit", (HealthIndicator) () -> Health.up().build());
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("registry", registry);
        new UnusedBrokerHealth(beans, environment, properties).afterSingletonsInstantiated();
        return registry.getContributor("rabbit") != null;
    }
}
