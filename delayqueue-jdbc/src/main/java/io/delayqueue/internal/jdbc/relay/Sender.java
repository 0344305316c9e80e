// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.DelayQueueException;
import io.delayqueue.GroupPartlyChangedException;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.Operation;
import io.delayqueue.internal.jdbc.outbox.OperationFormat;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.Superseded;
import io.delayqueue.internal.jdbc.outbox.UnreadableOperationsException;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.jdbc.OutboxListener;
import io.delayqueue.jdbc.SentOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the operations of rows to Redis, without a transaction or a lock in the database. */
final class Sender {

    private static final Logger log = LoggerFactory.getLogger(Sender.class);

    /**
     * How long a row of an unknown queue is retried. Only other processes can send it, and they may be down for a
     * long time.
     */
    private static final Duration UNKNOWN_QUEUE = Duration.ofDays(1);

    private final Supplier<TaskChanges> changes;
    private final Callers callers;
    private final List<OutboxListener> listeners;
    private final RetryGate redis;
    private final Throttle retries = new Throttle(Duration.ofMinutes(1));
    private volatile @Nullable String lastAnswered;
    private final AtomicBoolean replicasTold = new AtomicBoolean();

    Sender(Supplier<TaskChanges> changes, Callers callers, List<OutboxListener> listeners, RetryGate redis) {
        this.changes = changes;
        this.callers = callers;
        this.listeners = List.copyOf(listeners);
        this.redis = redis;
    }

    /**
     * Sends rows.
     *
     * @param lastNanos latest time to start sending a part of the rows, by {@link System#nanoTime}
     * @return one result per row, in order
     */
    List<SentRow> send(List<TakenRow> rows, long lastNanos) {
        List<Unsent> unsent = rows.stream().map(Unsent::of).toList();
        List<ChangeResult> results = carryOut(
                unsent.stream()
                        .flatMap(row -> row.necessary().stream())
                        .map(Operation::change)
                        .toList(),
                lastNanos);
        List<SentRow> sent = new ArrayList<>(rows.size());
        int next = 0;
        for (Unsent row : unsent) {
            int end = next + row.necessary().size();
            sent.add(end(row, results.subList(next, end)));
            next = end;
        }
        return sent;
    }

    private List<ChangeResult> carryOut(List<? extends TaskChange<?>> all, long lastNanos) {
        if (all.isEmpty()) {
            return List.of();
        }
        List<ChangeResult> results;
        try {
            results = changes.get().carryOut(all, () -> System.nanoTime() - lastNanos < 0);
        } catch (Throwable ex) {
            DelayQueueException error = TaskFailures.known(ex);
            results = all.stream()
                    .map(change -> new ChangeResult(change, null, error))
                    .toList();
        }
        look(results);
        return results;
    }

    /**
     * Updates the gate. Closes it only if no operation was executed and the server that answered last fails. If another
     * server of a cluster is down or a task fails, only the tasks of that server, or that task, are delayed.
     */
    private void look(List<ChangeResult> results) {
        String answered = lastAnswered;
        DelayQueueException first = null;
        for (ChangeResult result : results) {
            DelayQueueException error = result.error();
            if (!(error instanceof TaskStoreException
                    || error instanceof GroupPartlyChangedException
                    || error instanceof UnknownQueueException)) { // No call was made for an unknown queue.
                lastAnswered = (error == null) ? changes.get().serverOf(result.change()) : lastAnswered;
                redis.succeeded();
                return;
            }
            if (first == null
                    && TaskFailures.concernsAll(error)
                    && (answered == null || answered.equals(changes.get().serverOf(result.change())))) {
                first = error;
            }
        }
        if (first != null) {
            redis.failed(first);
        }
    }

    private SentRow end(Unsent unsent, List<ChangeResult> results) {
        TakenRow taken = unsent.taken();
        OutboxRow row = taken.row();
        UnreadableOperationsException unreadable = unsent.unreadable();
        if (unreadable != null) {
            return unreadable.isNewer()
                    ? new SentRow(taken, List.of(), row.operations(), false)
                    : new SentRow(taken, List.of(rejection(row.operations(), unreadable)), SentRow.NONE, false);
        }
        List<SentRow.Rejection> rejected = new ArrayList<>(0);
        List<Operation> left = new ArrayList<>(0);
        Set<String> leftIds = new HashSet<>();
        DelayQueueException first = null;
        boolean uncertain = false;
        for (int i = 0; i < results.size(); i++) {
            Operation operation = unsent.necessary().get(i);
            String id = operation.change().id();
            DelayQueueException error = results.get(i).error();
            boolean stays = waitsFor(leftIds, id, row.id());
            if (error != null && !hasTakenEffect(error) && !isForGood(error, row)) {
                first = (first == null) ? error : first;
                uncertain |= isUncertain(error);
                stays = true;
            }
            if (stays) {
                left.add(operation);
                leftIds.add(id);
            } else {
                if (error != null && !hasTakenEffect(error)) {
                    rejected.add(rejection(OperationFormat.encode(operation, 0), error));
                }
                tell(row, operation.number(), results.get(i));
            }
        }
        if (first != null) {
            warnOfRetry(row, first);
            if (left.size() == results.size()) {
                return new SentRow(taken, List.of(), row.operations(), uncertain);
            }
        }
        unsent.superseded().forEach(operation -> callers.superseded(operation.number()));
        return new SentRow(taken, rejected, OperationFormat.encode(left, 0), uncertain);
    }

    /** Returns whether an operation must follow one that is sent again: of the same task, of its group, or of any. */
    private static boolean waitsFor(Set<String> leftIds, String id, String rowId) {
        return leftIds.contains(id) || leftIds.contains(rowId) || (id.equals(rowId) && !leftIds.isEmpty());
    }

    private static SentRow.Rejection rejection(byte[] operations, DelayQueueException error) {
        return new SentRow.Rejection(operations, error.getClass().getSimpleName() + ": " + error.getMessage());
    }

    /** Returns whether the operation can never be executed. Unknown errors are retried. */
    private static boolean isForGood(DelayQueueException error, OutboxRow row) {
        return error instanceof UnknownQueueException
                ? row.waited().compareTo(UNKNOWN_QUEUE) >= 0
                : error instanceof InvalidTaskException;
    }

    /** Returns whether the operation was executed in spite of the error. */
    private static boolean hasTakenEffect(DelayQueueException error) {
        return error instanceof TaskNotReplicatedException;
    }

    /** Returns whether an operation that failed may still be executed. */
    private static boolean isUncertain(DelayQueueException error) {
        return (error instanceof TaskStoreException store)
                ? store.mayHaveBeenApplied()
                : !(error instanceof InvalidTaskException);
    }

    /** Logs the failure of a row, unless the gate has logged it. */
    private void warnOfRetry(OutboxRow row, DelayQueueException error) {
        if (!redis.isFailing() && retries.passes()) {
            log.warn(
                    "Queue '{}', task '{}': calls failed; they stay in the outbox, and the relay "
                            + "retries. Logged at most once a minute",
                    row.queue(),
                    row.id(),
                    error);
        }
    }

    private void tell(OutboxRow row, long number, ChangeResult result) {
        warnOfReplicas(result.error());
        callers.end(number, result);
        Object outcome = outcome(result);
        if (outcome != null) {
            SentOperation sent = new SentOperation(row.queue(), result.change().id(), outcome);
            listeners.forEach(listener -> Guard.run(log, "An outbox listener failed", () -> listener.sent(sent)));
        }
    }

    private static @Nullable Object outcome(ChangeResult result) {
        return (result.outcome() == null
                        && result.error() instanceof TaskNotReplicatedException known
                        && !(result.change() instanceof TaskChange.Schedule))
                ? known.outcome()
                : result.outcome();
    }

    /**
     * Warns about missing replicas once. The callers receive the error, and all calls for a queue without enough
     * replicas fail.
     */
    private void warnOfReplicas(@Nullable DelayQueueException error) {
        if (error != null && hasTakenEffect(error) && replicasTold.compareAndSet(false, true)) {
            log.warn(
                    "Calls from the outbox take effect, but on fewer replicas than their queue "
                            + "requires; they are not repeated. Logged once",
                    error);
        }
    }

    /** The operations of a row: those to execute, and those superseded by a later one. */
    private record Unsent(
            TakenRow taken,
            List<Operation> necessary,
            List<Operation> superseded,
            @Nullable UnreadableOperationsException unreadable) {

        static Unsent of(TakenRow taken) {
            OutboxRow row = taken.row();
            try {
                List<Operation> all = OperationFormat.decode(row.queue(), row.id(), row.operations());
                List<Operation> necessary = Superseded.without(all);
                int now = countToSend(all, necessary);
                if (now < all.size()) {
                    return of(taken.part(now), all.subList(0, now), necessary);
                }
                return of(taken, all, necessary);
            } catch (UnreadableOperationsException ex) {
                return new Unsent(taken, List.of(), List.of(), ex);
            }
        }

        /** @param necessary the necessary operations of the whole row */
        private static Unsent of(TakenRow taken, List<Operation> toSend, List<Operation> necessary) {
            Set<Operation> sent = new HashSet<>(necessary);
            return new Unsent(
                    taken,
                    toSend.stream().filter(sent::contains).toList(),
                    toSend.stream().filter(it -> !sent.contains(it)).toList(),
                    null);
        }

        /**
         * Returns how many operations to send now; the others wait until these have been removed from the row. After a
         * crash or a failure, all operations of a row are sent again. Redis then ignores a schedule or a shift of the
         * group that it has executed, so earlier operations that are sent again must not change the same tasks: a
         * schedule waits for reschedules and updates of its task and for changes of its group, a shift for everything.
         */
        private static int countToSend(List<Operation> all, List<Operation> necessary) {
            Set<String> changed = new HashSet<>();
            boolean groupChanged = false;
            for (Operation operation : necessary) {
                TaskChange<?> change = operation.change();
                boolean waits = (change instanceof TaskChange.Schedule)
                        ? groupChanged || changed.contains(change.id())
                        : isShift(change) && operation != necessary.get(0);
                if (waits) {
                    return all.indexOf(operation);
                }
                groupChanged |= change instanceof TaskChange.ChangeGroup;
                if (change instanceof TaskChange.Reschedule || change instanceof TaskChange.Update) {
                    changed.add(change.id());
                }
            }
            return all.size();
        }

        private static boolean isShift(TaskChange<?> change) {
            return change instanceof TaskChange.ChangeGroup group
                    && group.operation().verb() == GroupChange.Verb.SHIFT;
        }
    }
}
