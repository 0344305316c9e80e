// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.CallWithinTransactionException;
import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueException;
import io.delayqueue.DueTime;
import io.delayqueue.IdOutcome;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskOutcome;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.transaction.DeferredCall;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TransactionalCalls;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Has calls that change something within a transaction decided with it. Input is checked and payloads are encoded when the call is
 * made. All other calls, and those that read, go to the store at once.
 */
final class TransactionalTemplate extends DelayQueueTemplate {

    private final TransactionalCalls transactions;

    TransactionalTemplate(DelayQueueTemplate template, TransactionalCalls transactions) {
        super(template);
        this.transactions = transactions;
    }

    @Override
    public ScheduleResult schedule(ScheduleRequest request) {
        if (!transactions.isOpen()) {
            return super.schedule(request);
        }
        TaskChange.Schedule change = changes().schedule(request);
        defer(List.of(change));
        return deferred(change);
    }

    @Override
    public CompletionStage<ScheduleResult> scheduleAsync(ScheduleRequest request) {
        if (!transactions.isOpen()) {
            return super.scheduleAsync(request);
        }
        Objects.requireNonNull(request);
        return stage(() -> changes().schedule(request));
    }

    @Override
    public List<TaskOutcome> scheduleAll(Collection<ScheduleRequest> requests) {
        if (!transactions.isOpen()) {
            return super.scheduleAll(requests);
        }
        List<TaskChange.Schedule> all =
                requests.stream().map(changes()::schedule).toList();
        defer(all);
        return all.stream()
                .map(change -> new TaskOutcome(change.id(), deferred(change), null))
                .toList();
    }

    /** Whether all or none are stored is known when they are sent; who is told before cannot act on it. */
    @Override
    public List<ScheduleResult> scheduleTogether(Collection<ScheduleRequest> requests) {
        if (requests.isEmpty() || !transactions.isOpen()) {
            return super.scheduleTogether(requests);
        }
        ScheduleRequest first = requests.iterator().next();
        throw new CallWithinTransactionException("Queue '" + first.queue() + "', schedule " + requests.size()
                + " tasks together: refused within a transaction, as whether all or none of them are stored is not"
                + " known before the commit. Make the call after the commit, or use scheduleAll");
    }

    @Override
    public CancelOutcome cancel(String queue, String id) {
        if (!transactions.isOpen()) {
            return super.cancel(queue, id);
        }
        defer(List.of(changes().cancel(queue, id)));
        return CancelOutcome.DEFERRED;
    }

    @Override
    public CompletionStage<CancelOutcome> cancelAsync(String queue, String id) {
        Objects.requireNonNull(queue);
        Objects.requireNonNull(id);
        return transactions.isOpen() ? stage(() -> changes().cancel(queue, id)) : super.cancelAsync(queue, id);
    }

    @Override
    public List<IdOutcome<CancelOutcome>> cancelAll(String queue, Collection<String> ids) {
        return transactions.isOpen()
                ? each(ids, id -> changes().cancel(queue, id), CancelOutcome.DEFERRED)
                : super.cancelAll(queue, ids);
    }

    @Override
    RescheduleOutcome reschedule(String queue, String id, DueTime due) {
        if (!transactions.isOpen()) {
            return super.reschedule(queue, id, due);
        }
        defer(List.of(changes().reschedule(queue, id, due)));
        return RescheduleOutcome.DEFERRED;
    }

    @Override
    CompletionStage<RescheduleOutcome> rescheduleAsync(String queue, String id, Supplier<DueTime> due) {
        return transactions.isOpen()
                ? stage(() -> changes().reschedule(queue, id, due.get()))
                : super.rescheduleAsync(queue, id, due);
    }

    @Override
    List<IdOutcome<RescheduleOutcome>> rescheduleAll(String queue, Collection<String> ids, DueTime due) {
        return transactions.isOpen()
                ? each(ids, id -> changes().reschedule(queue, id, due), RescheduleOutcome.DEFERRED)
                : super.rescheduleAll(queue, ids, due);
    }

    @Override
    public UpdateOutcome update(String queue, String id, Object payload) {
        if (!transactions.isOpen()) {
            return super.update(queue, id, payload);
        }
        defer(List.of(changes().update(queue, id, payload)));
        return UpdateOutcome.DEFERRED;
    }

    /** Which tasks it reaches is known when it is sent. */
    @Override
    void refuseGroupChange(String what) {
        if (transactions.isOpen()) {
            throw new CallWithinTransactionException(
                    what + ": refused within a transaction, as which tasks it reaches is"
                            + " not known before the commit. Make the call after the commit, or name the tasks by their ids");
        }
    }

    /** An id that comes twice has one line. */
    private <O> List<IdOutcome<O>> each(Collection<String> ids, Function<String, TaskChange<O>> change, O outcome) {
        List<TaskChange<O>> all = new LinkedHashSet<>(ids).stream().map(change).toList();
        defer(all);
        return all.stream()
                .map(each -> new IdOutcome<>(each.id(), outcome, null))
                .toList();
    }

    private void defer(List<? extends TaskChange<?>> all) {
        if (!all.isEmpty()) {
            transactions.add(all.stream().map(DeferredCall::of).toList());
        }
    }

    /**
     * What is wrong with the call comes through the stage. What a codec or a database throws is thrown on: whoever does not look at
     * the stage must not commit what belongs to a task that is not there.
     */
    private <O> CompletionStage<O> stage(Supplier<? extends TaskChange<O>> change) {
        try {
            DeferredCall<O> call = DeferredCall.withStage(change.get(), threads()::run);
            transactions.add(List.of(call));
            return call.stage();
        } catch (DelayQueueException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    private ScheduleResult deferred(TaskChange.Schedule change) {
        DueTime due = change.task().due();
        long from = due.relative() ? clock().now().toEpochMilli() : 0;
        return new ScheduleResult(change.id(), ScheduleOutcome.DEFERRED, Instant.ofEpochMilli(from + due.millis()));
    }
}
