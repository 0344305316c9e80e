// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Warns about queues that wait longer for their handlers at shutdown than Spring waits for a lifecycle phase. */
record ShutdownTime(QueueCatalog queues, Environment environment) implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(ShutdownTime.class);
    private static final String OF_SPRING = "spring.lifecycle.timeout-per-shutdown-phase";
    private static final Duration DEFAULT_OF_SPRING = Duration.ofSeconds(30);

    @Override
    public void afterSingletonsInstantiated() {
        Duration spring =
                Binder.get(environment).bind(OF_SPRING, Duration.class).orElse(DEFAULT_OF_SPRING);
        List<String> longer = queues.all().stream()
                .filter(queue -> queue.trigger().autoStartup())
                .filter(queue -> queue.trigger().shutdownTimeout().compareTo(spring) > 0)
                .map(QueueSettings::name)
                .toList();
        if (!longer.isEmpty()) {
            log.warn(
                    "The queues {} have a trigger.shutdown-timeout above {} ({} s): at shutdown, "
                            + "Spring will destroy beans that running handlers still use. Raise {}, or "
                            + "lower trigger.shutdown-timeout",
                    longer,
                    OF_SPRING,
                    spring.toSeconds(),
                    OF_SPRING);
        }
    }
}
