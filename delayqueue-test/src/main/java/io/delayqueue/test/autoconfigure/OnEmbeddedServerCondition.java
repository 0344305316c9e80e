// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.autoconfigure;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the property enables an embedded server, or if it is {@code auto} and no property sets a server address.
 */
abstract class OnEmbeddedServerCondition extends SpringBootCondition {

    private static final String RABBIT = "delayqueue.test.embedded.rabbit";

    private final String switchProperty;
    private final List<String> addressProperties;

    private OnEmbeddedServerCondition(String switchProperty, List<String> addressProperties) {
        this.switchProperty = switchProperty;
        this.addressProperties = addressProperties;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Environment environment = context.getEnvironment();
        ConditionMessage.Builder message = ConditionMessage.forCondition(switchProperty);
        EmbeddedServerMode mode = Binder.get(environment)
                .bind(switchProperty, EmbeddedServerMode.class)
                .orElse(EmbeddedServerMode.FALSE);
        if (mode != EmbeddedServerMode.AUTO) {
            return new ConditionOutcome(mode == EmbeddedServerMode.TRUE, message.because("it is " + mode));
        }
        return addressProperties.stream()
                .filter(property -> isSet(environment, property))
                .findFirst()
                .map(property -> ConditionOutcome.noMatch(message.because("it is auto and " + property + " is set")))
                .orElseGet(() -> ConditionOutcome.match(message.because("it is auto and no address is set")));
    }

    /**
     * Returns whether a property is set. Binds the property as a list, to find scalars, indexed properties and
     * environment variables.
     */
    private static boolean isSet(Environment environment, String property) {
        return Binder.get(environment)
                .bind(property, Bindable.listOf(String.class))
                .isBound();
    }

    static final class OnEmbeddedRedis extends OnEmbeddedServerCondition {

        OnEmbeddedRedis() {
            super(
                    "delayqueue.test.embedded.redis",
                    List.of(
                            "delayqueue.redis.url",
                            "delayqueue.redis.host",
                            "delayqueue.redis.port",
                            "delayqueue.redis.sentinel.nodes",
                            "delayqueue.redis.cluster.nodes",
                            "delayqueue.redis.connection-factory",
                            "spring.data.redis.url",
                            "spring.data.redis.host",
                            "spring.data.redis.port",
                            "spring.data.redis.sentinel.nodes",
                            "spring.data.redis.cluster.nodes",
                            "spring.data.redis.masterreplica.nodes"));
        }
    }

    static final class OnEmbeddedRabbit extends OnEmbeddedServerCondition {

        OnEmbeddedRabbit() {
            super(RABBIT, List.of("spring.rabbitmq.addresses", "spring.rabbitmq.host", "spring.rabbitmq.port"));
        }
    }

    /** Matches if no property selects the broker for the test. */
    static final class OnNoChoiceOfBroker extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return new ConditionOutcome(
                    !isSet(context.getEnvironment(), RABBIT),
                    ConditionMessage.forCondition(RABBIT).because("it chooses the broker of a test"));
        }
    }
}
