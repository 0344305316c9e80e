// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.internal.autoconfigure.health.Brokers;
import io.delayqueue.internal.autoconfigure.health.DelayQueueHealthIndicator;
import io.delayqueue.internal.autoconfigure.health.UnusedBrokerHealth;
import io.delayqueue.internal.autoconfigure.metrics.QueueOutlooks;
import io.delayqueue.internal.autoconfigure.redis.start.RedisStartCheck;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.handler.RegisteredHandlers;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.trigger.ScanTrigger;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Auto-configuration of the health contributor {@code delayqueue}. */
@AutoConfiguration(after = {DelayQueueAutoConfiguration.class, DelayQueueRabbitAutoConfiguration.class})
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(QueueCatalog.class)
public final class DelayQueueHealthAutoConfiguration {

    @Bean
    UnusedBrokerHealth delayQueueUnusedBrokerHealth(
            ConfigurableListableBeanFactory beanFactory, Environment environment) {
        return new UnusedBrokerHealth(beanFactory, environment);
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
    @ConditionalOnEnabledHealthIndicator("delayqueue")
    @ConditionalOnMissingBean(name = "delayqueueHealthContributor", search = SearchStrategy.CURRENT)
    HealthIndicator delayqueueHealthContributor(
            TaskStore store,
            RedisStartCheck check,
            QueueCatalog queues,
            QueueOutlooks outlooks,
            ObjectProvider<ScanTrigger> triggers,
            ObjectProvider<RegisteredHandlers> handlers,
            ObjectProvider<Brokers> brokers,
            DelayQueueProperties properties,
            Engine engine) {
        return new DelayQueueHealthIndicator(
                store,
                check::problems,
                queues,
                outlooks,
                () -> all(triggers, handlers),
                brokers.getIfAvailable(),
                properties.health().overdueLimit(),
                engine::queueProblems);
    }

    private static List<ScanTrigger> all(
            ObjectProvider<ScanTrigger> triggers, ObjectProvider<RegisteredHandlers> handlers) {
        return Stream.concat(triggers.stream(), handlers.stream().flatMap(all -> all.triggers().stream()))
                .toList();
    }
}
