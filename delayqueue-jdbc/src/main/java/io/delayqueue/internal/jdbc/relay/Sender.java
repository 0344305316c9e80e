// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.Operation;
import io.delayqueue.internal.jdbc.outbox.OperationFormat;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.Superseded;
import io.delayqueue.internal.jdbc.outbox.UnreadableOperationsException;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.jdbc.OutboxListener;
import io.delayqueue.jdbc.SentOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the operations of rows to Redis and tells what became of each row. Holds nothing in the database. */
final class Sender {

    private static final Logger log = LoggerFactory.getLogger(Sender.class);

    private final Supplier<TaskChanges> changes;
    private final Refusals refusals;
    private final Callers callers;
    private final List<OutboxListener> listeners;
    private final Brake redis;

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

    /** One for each row, in their order. */
    List<SentRow> send(List<OutboxRow> rows) {
        List<Unsent> unsent = rows.stream().map(Sender::decode).toList();
        List<Operation> toCarryOut =
                unsent.stream().flatMap(row -> row.necessary().stream()).toList();
        List<ChangeResult> results = carryOut(toCarryOut);
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

    private List<ChangeResult> carryOut(List<Operation> operations) {
        if (operations.isEmpty()) {
            return List.of();
        }
        List<ChangeResult> results;
        try {
            results = changes.get()
                    .carryOut(operations.stream().map(Operation::change).toList());
        } catch (Throwable ex) {
            DelayQueueException error = TaskFailures.known(ex);
            results = operations.stream()
                    .map(operation -> new ChangeResult(operation.change(), null, error))
                    .toList();
        }
        look(results);
        return results;
    }

    /** Pauses only where nothing was carried out: a part of a cluster that is down delays the tasks that it keeps. */
    private void look(List<ChangeResult> results) {
        DelayQueueException first = null;
        for (ChangeResult result : results) {
            if (!(result.error() instanceof TaskStoreException)) {
                redis.succeeded();
                return;
            }
            first = (first == null) ? result.error() : first;
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
            if (error != null && !refusals.isForGood(error, row)) {
                first = (first == null) ? error : first;
                uncertain |= error instanceof TaskStoreException store && store.mayHaveBeenApplied();
            } else if (error != null) {
                rejected.add(new SentRow.Rejection(OperationFormat.encode(operation, 0), refusals.reason(error)));
            }
        }
        if (first == null) {
            tell(unsent, results);
        } else {
            rejected = List.of(); // they will be again
        }
        return new SentRow(row, rejected, first, uncertain);
    }

    private void tell(Unsent unsent, List<ChangeResult> results) {
        unsent.superseded().forEach(operation -> callers.superseded(operation.number()));
        for (int i = 0; i < results.size(); i++) {
            ChangeResult result = results.get(i);
            callers.end(unsent.necessary().get(i).number(), result);
            if (result.outcome() != null) {
                SentOperation sent =
                        new SentOperation(unsent.row().queue(), unsent.row().id(), result.outcome());
                listeners.forEach(
                        listener -> Seam.run(log, "A listener of the outbox failed", () -> listener.sent(sent)));
            }
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
