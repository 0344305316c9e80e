// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.StandardEnvironment;

class UnusedBrokerHealthTests {

    private static final String INDICATOR = "rabbitHealthContributor";

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
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerBeanDefinition(INDICATOR, new RootBeanDefinition(Object.class));
        UnusedBrokerHealth health = new UnusedBrokerHealth();
        health.setEnvironment(environment);
        health.postProcessBeanDefinitionRegistry(beans);
        return beans.containsBeanDefinition(INDICATOR);
    }
}
