// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.DeferredCall;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** The operations over an outbox. Applications inject {@link TransactionalDelayQueueOperations}. */
public final class TransactionalDelayQueueTemplate implements TransactionalDelayQueueOperations {

    private final TransactionalOutbox outbox;
    private final Supplier<TaskChanges> changes;
    private final OutsideTransaction outside;

    /** @param changes asked for with each call */
    public TransactionalDelayQueueTemplate(
            TransactionalOutbox outbox, Supplier<TaskChanges> changes, OutsideTransaction outside) {
        this.outbox = outbox;
        this.changes = changes;
        this.outside = outside;
    }

    @Override
    public String schedule(String queue, Object payload, Duration delay) {
        return schedule(ScheduleRequest.to(queue).payload(payload).dueIn(delay).build());
    }

    @Override
    public String schedule(String queue, Object payload, Instant dueAt) {
        return schedule(ScheduleRequest.to(queue).payload(payload).dueAt(dueAt).build());
    }

    @Override
    public String schedule(ScheduleRequest<?> request) {
        return scheduleAll(List.of(request)).get(0);
    }

    @Override
    public List<String> scheduleAll(Collection<? extends ScheduleRequest<?>> requests) {
        TaskChanges making = changes.get();
        List<TaskChange<?>> all = new ArrayList<>(requests.size());
        requests.forEach(request -> all.add(making.schedule(request)));
        add(all);
        return requests.stream().map(ScheduleRequest::id).toList();
    }

    @Override
    public void cancel(String queue, String id) {
        add(List.of(changes.get().cancel(queue, id)));
    }

    @Override
    public void reschedule(String queue, String id, Duration delay) {
        add(List.of(changes.get().reschedule(queue, id, Due.after(delay))));
    }

    @Override
    public void reschedule(String queue, String id, Instant dueAt) {
        add(List.of(changes.get().reschedule(queue, id, Due.at(dueAt))));
    }

    private void add(List<? extends TaskChange<?>> all) {
        if (all.isEmpty()) {
            return;
        }
        if (outside == OutsideTransaction.REFUSE || outbox.isOpen()) {
            refuseUnlessOpen(all.get(0));
            outbox.add(all.stream().map(DeferredCall::of).toList());
            return;
        }
        for (ChangeResult result : changes.get().carryOut(all)) {
            DelayQueueException error = result.error();
            if (error != null) {
                throw error;
            }
        }
    }

    private void refuseUnlessOpen(TaskChange<?> first) {
        if (!outbox.isOpen()) {
            throw new TransactionRequiredException("Queue '" + first.queue() + "', " + first.verb() + " '" + first.id()
                    + "': there is no transaction in which the call could be written into the outbox, or it has committed"
                    + " already. Make it within one, or set delayqueue.jdbc.outside-transaction to immediate");
        }
    }
}
