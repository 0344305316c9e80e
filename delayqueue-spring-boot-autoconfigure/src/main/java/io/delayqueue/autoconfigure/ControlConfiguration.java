// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.AuditListener;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.internal.autoconfigure.endpoint.AuditEvents;
import io.delayqueue.internal.autoconfigure.endpoint.AuditLog;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.control.Instances;
import io.delayqueue.internal.control.MinuteRates;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.internal.store.TaskStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The service layer of the endpoint and the console, and the listeners for its audit entries. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = "io.delayqueue.internal.control.QueueControl")
class ControlConfiguration {

    @Bean
    QueueControl delayQueueControl(
            DelayQueueAdmin admin,
            DelayQueueOperations tasks,
            ObjectProvider<QueueAccessResolver> access,
            ObjectProvider<PayloadFormatter> payloads,
            ObjectProvider<AuditListener> audit,
            TaskStore store,
            ObjectProvider<PendingChanges> outboxes,
            Engine engine,
            Instances instances) {
        return new QueueControl(
                admin,
                tasks,
                access.getIfAvailable(() -> QueueAccessResolver.READ_AND_OPERATE),
                payloads.getIfAvailable(),
                audit.orderedStream().toList(),
                store,
                () -> outboxes.orderedStream().toList(),
                engine::queueProblems,
                instances);
    }

    /** Creates the reports of this process. An application without queues writes no reports, so it needs no Redis. */
    @Bean
    Instances delayQueueInstances(
            TaskStore store,
            Scheduler scheduler,
            QueueCatalog queues,
            ObjectProvider<Engine> engine,
            @Value("${spring.application.version:}") String version) {
        Instances instances = new Instances(
                store, scheduler, version, () -> engine.getObject().load());
        if (!queues.names().isEmpty()) {
            instances.announce();
        }
        return instances;
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    BulkOperations delayQueueBulkOperations(QueueControl control) {
        return control.operations();
    }

    @Bean
    MinuteRates delayQueueMinuteRates(TaskStore store, Scheduler scheduler) {
        return new MinuteRates(store.rates(), scheduler);
    }

    @Bean
    AuditLog delayQueueAuditLog() {
        return new AuditLog();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.audit.listener.AuditApplicationEvent")
    static class EventsConfiguration {

        @Bean
        AuditEvents delayQueueAuditEvents(ApplicationEventPublisher events) {
            return new AuditEvents(events);
        }
    }
}
