// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.handler.DeliveryErrorHandler;
import io.delayqueue.handler.FailureCounting;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.handler.DelayedTasks;
import io.delayqueue.internal.handler.FailurePolicy;
import io.delayqueue.internal.handler.RegisteredHandlers;
import io.delayqueue.internal.listener.ChildContextListeners;
import io.delayqueue.internal.listener.DelayQueueListenerBeanPostProcessor;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.trigger.TriggerContext;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.CompositeTaskDecorator;

/** Triggers, handlers and handler methods. */
@Configuration(proxyBeanMethods = false)
public class DeliveryConfiguration {

    @Bean
    TriggerContext delayQueueTriggerContext(
            Engine engine,
            QueueCatalog queues,
            WakeSignals wakeSignals,
            ObjectProvider<DeliveryInterceptor> interceptors,
            Environment environment) {
        return new TriggerContext(
                engine,
                queues,
                wakeSignals,
                new InterceptorChain(interceptors.orderedStream().toList()),
                Threading.VIRTUAL.isActive(environment));
    }

    @Bean
    DelayedTasks delayQueueDelayedTasks(PayloadCodecs codecs) {
        return new DelayedTasks(codecs);
    }

    @Bean
    RegisteredHandlers delayQueueTaskHandlerRegistry(
            TriggerContext context,
            DelayedTasks tasks,
            ObjectProvider<ObservationRegistry> observations,
            ObjectProvider<FailureCounting> counting,
            ObjectProvider<DeliveryErrorHandler> errorHandler,
            ObjectProvider<TaskDecorator> decorators,
            DelayQueueProperties properties) {
        RegisteredHandlers registry = new RegisteredHandlers(
                context,
                tasks,
                observations.getIfUnique(() -> ObservationRegistry.NOOP),
                new FailurePolicy(
                        counting.getIfAvailable(() -> FailureCounting.ALL),
                        errorHandler.getIfAvailable(() -> DeliveryErrorHandler.NONE)));
        registry.setAutoStartup(properties.enabled());
        List<TaskDecorator> all = decorators.orderedStream().toList();
        registry.setTaskDecorator(all.size() == 1 ? all.get(0) : new CompositeTaskDecorator(all));
        return registry;
    }

    /** Components that start listening and delivering with the application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
    static class StartConfiguration {

        @Bean
        static DelayQueueListenerBeanPostProcessor delayQueueListenerBeanPostProcessor(
                ObjectProvider<RegisteredHandlers> registry, ObjectProvider<DelayedTasks> tasks) {
            return new DelayQueueListenerBeanPostProcessor(registry, tasks);
        }

        @Bean
        static ChildContextListeners delayQueueChildContextListeners(
                ApplicationContext context, DelayQueueListenerBeanPostProcessor listeners) {
            return new ChildContextListeners(context, listeners);
        }

        @Bean
        ShutdownTime delayQueueShutdownTime(QueueCatalog queues, Environment environment) {
            return new ShutdownTime(queues, environment);
        }

        @Bean
        TriggerInventory delayQueueTriggerInventory(
                DefaultListableBeanFactory beanFactory,
                DelayQueueProperties properties,
                QueueCatalog queues,
                ObjectProvider<ConfiguredTriggers> kinds,
                DelayQueueListenerBeanPostProcessor listeners,
                ObjectProvider<RegisteredHandlers> handlers) {
            return new TriggerInventory(
                    beanFactory,
                    properties,
                    queues,
                    kinds.orderedStream().toList(),
                    new MissingRabbit(properties, ConditionEvaluationReport.find(beanFactory)),
                    () -> {
                        listeners.afterSingletonsInstantiated();
                        return handlers.stream()
                                .flatMap(registry -> registry.queues().stream())
                                .collect(Collectors.toSet());
                    },
                    refused -> handlers.ifAvailable(registry -> registry.refuse(refused)));
        }

        /** Excludes listeners from lazy initialization, so that they start with the application. */
        @Bean
        static LazyInitializationExcludeFilter delayQueueListenersAreNotLazy() {
            return (name, definition, type) -> DelayQueueListenerBeanPostProcessor.isListener(type);
        }
    }
}
