// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.jdbc.TransactionalDelayQueueOperations;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** An outbox without a table: what is written reaches the queue right after the commit. */
record AfterCommitQueue(DelayQueueOperations queues) implements TransactionalDelayQueueOperations {

    @Override
    public String schedule(String queue, Object payload, Duration delay) {
        return schedule(ScheduleRequest.to(queue).payload(payload).dueIn(delay).build());
    }

    @Override
    public String schedule(String queue, Object payload, Instant dueAt) {
        return schedule(ScheduleRequest.to(queue).payload(payload).dueAt(dueAt).build());
    }

    @Override
    public List<String> scheduleAll(Collection<? extends ScheduleRequest<?>> requests) {
        return requests.stream().map(this::schedule).toList();
    }

    @Override
    public String schedule(ScheduleRequest<?> request) {
        afterCommit(() -> queues.schedule(request));
        return request.id();
    }

    @Override
    public void cancel(String queue, String id) {
        afterCommit(() -> queues.cancel(queue, id));
    }

    @Override
    public void reschedule(String queue, String id, Duration delay) {
        afterCommit(() -> queues.reschedule(queue, id, Due.after(delay)));
    }

    @Override
    public void reschedule(String queue, String id, Instant dueAt) {
        afterCommit(() -> queues.reschedule(queue, id, Due.at(dueAt)));
    }

    private static void afterCommit(Runnable change) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                change.run();
            }
        });
    }
}
