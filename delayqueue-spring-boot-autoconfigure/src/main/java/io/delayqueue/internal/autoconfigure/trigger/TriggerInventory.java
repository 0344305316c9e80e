// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueNames;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.trigger.ScanTrigger;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/**
 * Assigns triggers to queues. After all singletons are created and before they start, rejects conflicting triggers and
 * triggers of unknown queues. Registers a trigger bean named {@code delayQueueTrigger-<queue>} for each queue that has
 * no trigger and whose properties define a destination.
 */
record TriggerInventory(
        DefaultListableBeanFactory beanFactory,
        DelayQueueProperties properties,
        QueueCatalog queues,
        List<ConfiguredTriggers> kinds,
        MissingRabbit missingRabbit,
        Supplier<Set<String>> handledQueues,
        Consumer<Set<String>> scannedQueues)
        implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(TriggerInventory.class);
    private static final String BEAN_NAME_PREFIX = "delayQueueTrigger-";

    @Override
    public void afterSingletonsInstantiated() {
        Map<String, String> beanOfQueue = new LinkedHashMap<>();
        TriggerBeans.check(beanFactory);
        new TreeMap<>(beanFactory.getBeansOfType(ScanTrigger.class)).forEach((bean, trigger) -> {
            checkConfigured(bean, trigger.queue());
            String other = beanOfQueue.putIfAbsent(trigger.queue(), bean);
            if (other != null) {
                throw new InvalidDelayQueueSetupException(
                        "Queue '" + trigger.queue() + "' has two triggers, the beans '" + other + "' and '" + bean
                                + "', but its tasks can have only one destination.",
                        "Remove one of the two beans, or give it a separate queue under " + "delayqueue.queues.");
            }
        });
        Set<String> scanned = new HashSet<>(beanOfQueue.keySet());
        for (String queue : handledQueues.get()) {
            checkOneDestination(queue, beanOfQueue.putIfAbsent(queue, "a handler"));
        }
        queues.names().forEach(this::checkDeadLetters);
        for (QueueSettings queue : queues.all()) {
            if (!beanOfQueue.containsKey(queue.name()) && addTrigger(queue)) {
                scanned.add(queue.name());
            }
        }
        scannedQueues.accept(scanned);
    }

    /** Fails if the queue has a handler and another trigger. An exchange in the properties counts as a trigger. */
    private void checkOneDestination(String queue, @Nullable String bean) {
        if (bean != null) {
            throw twoDestinations(queue, "the trigger bean '" + bean + "'");
        }
        if (properties.queue(queue).rabbit().exchange() != null) {
            throw twoDestinations(queue, "an exchange, " + exchange(queue));
        }
        if (kinds.stream().anyMatch(kind -> kind.create(queue).isPresent())) {
            throw twoDestinations(queue, "a RabbitRouter bean or an intake that names it");
        }
    }

    private static InvalidDelayQueueSetupException twoDestinations(String queue, String other) {
        return new InvalidDelayQueueSetupException(
                "Queue '" + queue + "' has a handler (for example from @DelayQueueListener) and " + other
                        + ", but its tasks can have only one destination.",
                "Remove one of them, or use two queues.");
    }

    private void checkDeadLetters(String queue) {
        if (properties.queue(queue).dead().exchange() != null && kinds.isEmpty() && missingRabbit.intention() == null) {
            throw MissingRabbit.refusal(
                    QueueNames.property(queue) + ".dead.exchange", "the dead tasks of queue '" + queue + "'");
        }
    }

    private static String exchange(String queue) {
        return QueueNames.property(queue) + ".rabbit.exchange";
    }

    private void checkConfigured(String bean, String queue) {
        if (!queues.names().contains(queue)) {
            String property = QueueNames.property(queue);
            throw new InvalidDelayQueueSetupException(
                    property,
                    "The trigger bean '" + bean + "' names the queue '" + queue + "', but " + property
                            + " is not configured. Configured queues: " + queues.names() + ".",
                    "Configure " + property + " (it may be empty, for example 'delayqueue.queues: { " + queue
                            + ": {} }'), or change the queue of the trigger.");
        }
    }

    /** Returns whether the queue has a trigger now. */
    private boolean addTrigger(QueueSettings queue) {
        Optional<ScanTrigger> trigger = kinds.stream()
                .flatMap(kind -> kind.create(queue.name()).stream())
                .findFirst();
        if (trigger.isPresent()) {
            register(BEAN_NAME_PREFIX + queue.name(), trigger.get());
            return true;
        }
        if (properties.queue(queue.name()).rabbit().exchange() != null) {
            String intention = missingRabbit.intention();
            if (intention == null && queue.trigger().autoStartup()) {
                throw MissingRabbit.refusal(exchange(queue.name()), "the tasks of queue '" + queue.name() + "'");
            }
            log.info(
                    "Queue '{}' has no trigger in this process: {}. Its tasks wait for a process that " + "has one",
                    queue.name(),
                    (intention != null) ? intention : "its trigger.auto-startup is false and RabbitMQ is missing");
            return false;
        }
        log.info(
                "Queue '{}' has no trigger in this process: it has no handler, no ScanTrigger bean, no "
                        + "{} and no RabbitRouter bean. Its tasks wait for a process that has one",
                queue.name(),
                exchange(queue.name()));
        return false;
    }

    /** Registers the trigger as a bean, so that the container manages it like any other bean. */
    private <T extends ScanTrigger> void register(String name, T trigger) {
        @SuppressWarnings("unchecked")
        Class<T> type = (Class<T>) trigger.getClass();
        beanFactory.registerBeanDefinition(name, new RootBeanDefinition(type, () -> trigger));
        beanFactory.getBean(name);
    }
}
