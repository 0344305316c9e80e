// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.registry.DefaultHealthContributorRegistry;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.core.env.StandardEnvironment;

class UnusedBrokerHealthTests {

    private final StandardEnvironment environment = new StandardEnvironment();
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    @Test
    void healthOfRabbitWhenNothingUsesABrokerIsRemoved() {
        TestPropertyValues.of("spring.rabbit.host=elsewhere").applyTo(environment);
        beans.registerSingleton("brokers", new Used(Map.of(), Map.of()));
        assertThat(keepsHealthOfRabbit()).isFalse();
    }

    @Test
    void healthOfRabbitWhenAPropertyNamesTheBrokerStays() {
        TestPropertyValues.of("spring.rabbitmq.host=broker.example").applyTo(environment);
        assertThat(keepsHealthOfRabbit()).isTrue();
    }

    @Test
    void healthOfRabbitWhenAQueueUsesABrokerStays() {
        beans.registerSingleton(
                "brokers", new Used(Map.of("delayqueue-publisher", new Brokers.State(false, false, true)), Map.of()));
        assertThat(keepsHealthOfRabbit()).isTrue();
    }

    @Test
    void healthOfRabbitWhenAnIntakeUsesABrokerStays() {
        beans.registerSingleton("brokers", new Used(Map.of(), Map.of("partner", Optional.empty())));
        assertThat(keepsHealthOfRabbit()).isTrue();
    }

    private boolean keepsHealthOfRabbit() {
        ConfigurationPropertySources.attach(environment);
        DefaultHealthContributorRegistry registry = new DefaultHealthContributorRegistry();
        registry.registerContributor(
                "rabbit", (HealthIndicator) () -> Health.up().build());
        beans.registerSingleton("registry", registry);
        new UnusedBrokerHealth(beans, environment).afterSingletonsInstantiated();
        return registry.getContributor("rabbit") != null;
    }

    private record Used(Map<String, Brokers.State> states, Map<String, Optional<String>> intakes) implements Brokers {}
}
