// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TransactionMode;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Task;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** This library's outbox with the default settings, and a running relay to Redis. */
final class OutboxSubject implements TransactionSubject {

    private final OrdersApplication application;
    private final DelayQueueOperations outbox;

    OutboxSubject(Place place, List<String> properties) {
        List<String> all = new ArrayList<>(properties);
        all.add("delayqueue.jdbc.initialize-schema=always");
        this.application = new OrdersApplication(place, all, Timed.class);
        this.outbox = application.bean(DelayQueueOperations.class).inTransaction(TransactionMode.OUTBOX);
    }

    @Override
    public void transaction(List<Task> tasks) {
        application.transaction(tasks, all -> {
            if (all.size() == 1) {
                outbox.schedule(request(all.get(0)));
            } else {
                outbox.scheduleAll(all.stream().map(OutboxSubject::request).toList());
            }
        });
    }

    private static ScheduleRequest<?> request(Task task) {
        return ScheduleRequest.to("q0")
                .id(task.id())
                .payload(task.payload())
                .dueAt(Instant.ofEpochMilli(task.dueAt()))
                .build();
    }

    @Override
    public long arrived() {
        return application.bean(DelayQueueAdmin.class).statsByQueue().values().stream()
                .mapToLong(stats -> stats.delayed() + stats.ready())
                .sum();
    }

    @Override
    public long arrivedNanos(long number) {
        return application.bean(ArrivalTimes.class).of(number);
    }

    @Override
    public long statements() {
        return application.statements();
    }

    @Override
    public void close() {
        application.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Timed {

        @Bean
        ArrivalTimes arrivalTimes() {
            return new ArrivalTimes();
        }

        @Bean
        static BeanPostProcessor timedStores(ObjectProvider<ArrivalTimes> times) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof TaskStore store ? times.getObject().around(store) : bean;
                }
            };
        }
    }
}
