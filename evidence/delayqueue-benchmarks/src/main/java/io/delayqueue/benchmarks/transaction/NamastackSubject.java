// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.subject.Task;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Namastack Outbox with its defaults: a poll every 2 s, 10 records at a time; its handler schedules in Redis. */
final class NamastackSubject implements TransactionSubject {

    private final OrdersApplication application;
    private final Outbox outbox;

    NamastackSubject(Place place) {
        this.application = new OrdersApplication(
                place,
                List.of(
                        "delayqueue.jdbc.enabled=false",
                        "namastack.outbox.enabled=true",
                        "namastack.outbox.processing.delete-completed-records=true"),
                Handlers.class);
        this.outbox = application.bean(Outbox.class);
    }

    @Override
    public void transaction(List<Task> tasks) {
        application.transaction(
                tasks,
                all -> all.forEach(task -> outbox.schedule(
                        new Scheduled(task.number(), task.id(), task.payload(), task.dueAt()), task.id())));
    }

    @Override
    public long arrived() {
        return application.bean(DelayQueueAdmin.class).statsByQueue().values().stream()
                .mapToLong(stats -> stats.delayed() + stats.ready())
                .sum();
    }

    @Override
    public long arrivedNanos(long number) {
        return application.bean(Handler.class).times.getOrDefault(number, 0L);
    }

    @Override
    public long statements() {
        return application.statements();
    }

    @Override
    public void close() {
        application.close();
    }

    /** The payload of a record. */
    record Scheduled(long number, String id, String payload, long dueAt) {}

    static final class Handler implements OutboxTypedHandler<Scheduled> {

        private final ObjectProvider<DelayQueueOperations> operations;
        private final Map<Long, Long> times = new ConcurrentHashMap<>();

        Handler(ObjectProvider<DelayQueueOperations> operations) {
            this.operations = operations;
        }

        @Override
        public void handle(Scheduled task, OutboxRecordMetadata metadata) {
            operations
                    .getObject()
                    .schedule(ScheduleRequest.to("q0")
                            .id(task.id())
                            .payload(task.payload())
                            .dueAt(Instant.ofEpochMilli(task.dueAt()))
                            .build());
            times.put(task.number(), System.nanoTime());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Handlers {

        @Bean
        Handler handler(ObjectProvider<DelayQueueOperations> operations) {
            return new Handler(operations);
        }
    }
}
