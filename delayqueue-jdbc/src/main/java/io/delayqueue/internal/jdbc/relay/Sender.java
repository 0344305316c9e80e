// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.Operation;
import io.delayqueue.internal.jdbc.outbox.OperationFormat;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.Superseded;
import io.delayqueue.internal.jdbc.outbox.UnreadableOperationsException;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.jdbc.OutboxListener;
import io.delayqueue.jdbc.SentOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the operations of rows to Redis and tells what became of each row. Holds nothing in the database. */
final class Sender {

    private static final Logger log = LoggerFactory.getLogger(Sender.class);

    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(1);

    private final Supplier<TaskChanges> changes;
    private final Refusals refusals;
    private final Callers callers;
    private final List<OutboxListener> listeners;
    private final Brake redis;
    private final AtomicBoolean told = new AtomicBoolean();
    private final AtomicLong retryToldNanos = new AtomicLong(System.nanoTime() - 2 * BETWEEN_WARNINGS.toNanos());

    Sender(
            Supplier<TaskChanges> changes,
            Refusals refusals,
            Callers callers,
            List<OutboxListener> listeners,
            Brake redis) {
        this.changes = changes;
        this.refusals = refusals;
        this.callers = callers;
        this.listeners = List.copyOf(listeners);
        this.redis = redis;
    }

    /**
     * Sends what can be sent in time.
     *
     * @param lastNanos at which sending may still begin, by {@link System#nanoTime}; what is left then is not sent
     * @return one for each row, in their order
     */
    List<SentRow> send(List<OutboxRow> rows, long lastNanos) {
        List<Unsent> unsent = rows.stream().map(Sender::decode).toList();
        List<Operation> toCarryOut =
                unsent.stream().flatMap(row -> row.necessary().stream()).toList();
        List<ChangeResult> results = carryOut(toCarryOut, lastNanos);
        List<SentRow> sent = new ArrayList<>(rows.size());
        int next = 0;
        for (Unsent row : unsent) {
            int end = next + row.necessary().size();
            sent.add(end(row, results.subList(next, end)));
            next = end;
        }
        return sent;
    }

    private static Unsent decode(OutboxRow row) {
        try {
            return Unsent.of(row, OperationFormat.decode(row.queue(), row.id(), row.operations()));
        } catch (UnreadableOperationsException ex) {
            return new Unsent(row, List.of(), List.of(), ex);
        }
    }

    private List<ChangeResult> carryOut(List<Operation> operations, long lastNanos) {
        if (operations.isEmpty()) {
            return List.of();
        }
        List<ChangeResult> results;
        try {
            results = changes.get()
                    .carryOut(
                            operations.stream().map(Operation::change).toList(),
                            () -> System.nanoTime() - lastNanos < 0);
        } catch (Throwable ex) {
            DelayQueueException error = TaskFailures.known(ex);
            results = operations.stream()
                    .map(operation -> new ChangeResult(operation.change(), null, error))
                    .toList();
        }
        look(results);
        return results;
    }

    /**
     * Pauses only where nothing was carried out and the server is why: a part of a cluster that is down delays the
     * tasks that it keeps, and a task that fails delays itself.
     */
    private void look(List<ChangeResult> results) {
        DelayQueueException first = null;
        for (ChangeResult result : results) {
            DelayQueueException error = result.error();
            if (!(error instanceof TaskStoreException) || refusals.hasTakenEffect(error)) {
                redis.succeeded();
                return;
            }
            first = (first == null && TaskFailures.concernsAll(error)) ? error : first;
        }
        if (first != null) {
            redis.failed(first);
        }
    }

    private SentRow end(Unsent unsent, List<ChangeResult> results) {
        OutboxRow row = unsent.row();
        if (unsent.unreadable() != null) {
            return unsent.unreadable().isNewer()
                    ? new SentRow(row, List.of(), unsent.unreadable(), false)
                    : new SentRow(
                            row,
                            List.of(new SentRow.Rejection(row.operations(), refusals.reason(unsent.unreadable()))),
                            null,
                            false);
        }
        List<SentRow.Rejection> rejected = new ArrayList<>(0);
        DelayQueueException first = null;
        boolean uncertain = false;
        for (int i = 0; i < results.size(); i++) {
            DelayQueueException error = results.get(i).error();
            Operation operation = unsent.necessary().get(i);
            if (error == null || refusals.hasTakenEffect(error)) {
                continue;
            }
            if (refusals.isForGood(error, row)) {
                rejected.add(new SentRow.Rejection(OperationFormat.encode(operation, 0), refusals.reason(error)));
            } else {
                first = (first == null) ? error : first;
                uncertain |= refusals.isUncertain(error);
            }
        }
        if (first == null) {
            tell(unsent, results);
        } else {
            rejected = List.of(); // they will be again
            warnOfRetry(row, first);
        }
        return new SentRow(row, rejected, first, uncertain);
    }

    /** What concerns all tasks the brake tells, once. */
    private void warnOfRetry(OutboxRow row, DelayQueueException error) {
        long now = System.nanoTime();
        long before = retryToldNanos.get();
        if (!redis.isOn()
                && !TaskFailures.concernsAll(error)
                && now - before > BETWEEN_WARNINGS.toNanos()
                && retryToldNanos.compareAndSet(before, now)) {
            log.warn(
                    "Queue '{}', task '{}': operations were not carried out; they stay in the outbox, and are tried"
                            + " again. There is one such line a minute",
                    row.queue(),
                    row.id(),
                    error);
        }
    }

    private void tell(Unsent unsent, List<ChangeResult> results) {
        unsent.superseded().forEach(operation -> callers.superseded(operation.number()));
        for (int i = 0; i < results.size(); i++) {
            ChangeResult result = results.get(i);
            warn(result.error());
            callers.end(unsent.necessary().get(i).number(), result);
            Object outcome = outcome(result);
            if (outcome != null) {
                SentOperation sent =
                        new SentOperation(unsent.row().queue(), unsent.row().id(), outcome);
                listeners.forEach(
                        listener -> Guard.run(log, "A listener of the outbox failed", () -> listener.sent(sent)));
            }
        }
    }

    private static @Nullable Object outcome(ChangeResult result) {
        return (result.outcome() == null
                        && result.error() instanceof TaskNotReplicatedException known
                        && !(result.change() instanceof TaskChange.Schedule))
                ? known.outcome()
                : result.outcome();
    }

    /** Once: the caller hears of each, and whoever asks for replicas without having them hears of it at every call. */
    private void warn(@Nullable DelayQueueException error) {
        if (error != null && refusals.hasTakenEffect(error) && told.compareAndSet(false, true)) {
            log.warn(
                    "What the outbox sends takes effect, but not on as many replicas as its queue asks for; it is not"
                            + " sent again, and this is not told again",
                    error);
        }
    }

    /** The operations of a row: those that have to be carried out, and those that need not. */
    private record Unsent(
            OutboxRow row,
            List<Operation> necessary,
            List<Operation> superseded,
            @Nullable UnreadableOperationsException unreadable) {

        static Unsent of(OutboxRow row, List<Operation> all) {
            List<Operation> necessary = Superseded.without(all);
            List<Operation> superseded = new ArrayList<>(all);
            superseded.removeAll(necessary);
            return new Unsent(row, necessary, superseded, null);
        }
    }
}
