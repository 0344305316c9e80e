// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.rabbit.intake.IntakeSettings;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Binding;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Warns about bindings of this application to the exchange in front of an intake, which deliver messages without their
 * delay.
 */
public record MisplacedBindings(ListableBeanFactory beans, List<IntakeSettings> intakes)
        implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(MisplacedBindings.class);

    @Override
    public void afterSingletonsInstantiated() {
        List<Binding> bindings = DelayedExchanges.declared(beans, Binding.class).toList();
        for (IntakeSettings intake : intakes) {
            bindings.stream()
                    .filter(binding -> intake.name().equals(binding.getExchange())
                            && !intake.queue().equals(binding.getDestination()))
                    .forEach(binding -> log.warn(
                            "Queue '{}' is bound to the exchange '{}' and receives messages without their delay. Bind "
                                    + "it to '{}'",
                            binding.getDestination(),
                            intake.name(),
                            intake.exchange()));
        }
    }
}
