// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.AbstractRoutingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.util.ReflectionUtils;

/** Finds the default target of a routing connection factory, which has no public getter for it. */
public final class DefaultTarget {

    private DefaultTarget() {}

    /** @throws InvalidDelayQueueSetupException if it has none */
    static ConnectionFactory of(AbstractRoutingConnectionFactory routing) {
        Field field = field();
        if (field != null) {
            ReflectionUtils.makeAccessible(field);
            if (ReflectionUtils.getField(field, routing) instanceof ConnectionFactory target) {
                return target;
            }
        }
        throw new InvalidDelayQueueSetupException(
                "The RabbitMQ ConnectionFactory is a " + routing.getClass().getName()
                        + " without a default target, so the delay queues do not know which broker to use.",
                "Set its default target (setDefaultTargetConnectionFactory), or declare a CachingConnectionFactory "
                        + "bean with @Bean(defaultCandidate = false), and name it in "
                        + "delayqueue.defaults.rabbit.connection-factory.");
    }

    private static @Nullable Field field() {
        return ReflectionUtils.findField(AbstractRoutingConnectionFactory.class, "defaultTargetConnectionFactory");
    }

    /** Registers the field for native images. */
    public static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            Field field = field();
            if (field != null) {
                hints.reflection().registerField(field);
            }
        }
    }
}
