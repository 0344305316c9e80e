// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TriggerContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * Knows which trigger scans which queue. When all beans are there and before any of them starts, it refuses triggers that
 * exclude each other or name no queue, and adds a trigger bean for each queue whose properties say where its tasks go and
 * that has none. Such a bean is named {@code delayQueueTrigger-<queue>}.
 */
final class TriggerInventory implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(TriggerInventory.class);
    private static final String BEAN_NAME_PREFIX = "delayQueueTrigger-";

    private final ConfigurableListableBeanFactory beanFactory;
    private final DelayQueueProperties properties;
    private final QueueCatalog queues;
    private final TriggerContext context;

    TriggerInventory(
            ConfigurableListableBeanFactory beanFactory,
            DelayQueueProperties properties,
            QueueCatalog queues,
            TriggerContext context) {
        this.beanFactory = beanFactory;
        this.properties = properties;
        this.queues = queues;
        this.context = context;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Map<String, String> beanOfQueue = new LinkedHashMap<>();
        new TreeMap<>(beanFactory.getBeansOfType(ScanTrigger.class)).forEach((bean, trigger) -> {
            checkConfigured(bean, trigger.queue());
            String other = beanOfQueue.putIfAbsent(trigger.queue(), bean);
            if (other != null) {
                throw new InvalidDelayQueueSetupException(
                        "Queue '" + trigger.queue() + "' has two triggers, the beans '" + other + "' and '" + bean
                                + "', but its tasks can go to one destination only.",
                        "Remove one of the two beans, or give it a queue of its own under delayqueue.queues.");
            }
        });
        for (QueueSettings queue : queues.all()) {
            if (!beanOfQueue.containsKey(queue.name())) {
                addTrigger(queue);
            }
        }
    }

    private void checkConfigured(String bean, String queue) {
        if (!queues.names().contains(queue)) {
            String property = new QueueValues(queue, QueueProperties.EMPTY, QueueProperties.EMPTY).property();
            throw new InvalidDelayQueueSetupException(
                    property,
                    "The trigger bean '" + bean + "' names the queue '" + queue + "', but " + property
                            + " is not configured; configured are " + queues.names() + ".",
                    "Configure " + property + " (it may be empty, as in 'delayqueue.queues: { " + queue
                            + ": {} }'), or name another queue in the trigger.");
        }
    }

    private void addTrigger(QueueSettings queue) {
        QueueValues values = new QueueValues(
                queue.name(),
                properties.queues().getOrDefault(queue.name(), QueueProperties.EMPTY),
                properties.defaults());
        PropertyValue<Boolean> enabled =
                values.get("trigger.enabled", q -> q.trigger().enabled(), true);
        if (!enabled.value()) {
            log.info("Queue '{}' has no trigger in this process, as {} says", queue.name(), enabled.name());
            return;
        }
        ScanTrigger trigger = beanFactory
                .getBeanProvider(ConfiguredTriggers.class)
                .orderedStream()
                .map(kind -> kind.create(queue))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        if (trigger == null) {
            log.info(
                    "Queue '{}' has no trigger in this process: it has neither a ScanTrigger bean nor {}. Its tasks wait"
                            + " for a process that has",
                    queue.name(),
                    values.property("rabbit.exchange"));
            return;
        }
        trigger.setTriggerContext(context);
        register(BEAN_NAME_PREFIX + queue.name(), trigger);
    }

    /** As a bean it is started, stopped, destroyed and found like one that the application declares. */
    private void register(String name, ScanTrigger trigger) {
        beanFactory.initializeBean(trigger, name);
        beanFactory.registerSingleton(name, trigger);
        ((DefaultListableBeanFactory) beanFactory).registerDisposableBean(name, trigger);
    }
}
