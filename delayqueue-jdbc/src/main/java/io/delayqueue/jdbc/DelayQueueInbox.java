// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TransactionMismatchException;
import io.delayqueue.handler.DelayedTask;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Discards duplicates in the consumer's own transaction, so that a task delivered at least once has one effect in the
 * database. Accepted tasks are stored together with their effect. After a commit, every later delivery of the task is
 * discarded; after a rollback, the next delivery is accepted.
 * <pre>{@code
 * @Transactional
 * @DelayQueueListener(queue = "orders")
 * void timeIsUp(DelayedTask<OrderTimeout> task) {
 *     inbox.runOnce(ReceivedTask.of(task), () -> orders.close(task.payload().orderId()));
 * }
 * }</pre>
 *
 * <p>Deliveries with the same task key belong to the same task: retries, and deliveries after expired leases, lost
 * confirms, redrives and dead-lettering. Another schedule call creates another task, even with the same id. So does a
 * reschedule that returned IN_FLIGHT.
 *
 * <p>If two deliveries are concurrent, the second waits in the database until the first one's transaction ends. If this
 * exceeds the database's lock time-out, the attempt fails and the task is retried.
 *
 * <p>Every method requires a writable transaction of the inbox's {@link javax.sql.DataSource} and otherwise throws
 * {@link TransactionMismatchException}. Exceptions thrown by the effect must leave the transactional method, so that
 * the transaction rolls back. If you catch one and commit, the task counts as handled. Effects outside the database,
 * such as a payment or an email, are not part of the transaction and may be repeated. Implementations are thread-safe.
 */
public interface DelayQueueInbox {

    /**
     * Accepts a task in the current transaction.
     *
     * @return {@code true} for the first delivery: apply its effect in this transaction. {@code false} for a duplicate:
     *     ignore it.
     * @throws TransactionMismatchException if there is no suitable transaction
     * @throws org.springframework.dao.DataAccessException if the database fails; roll back the transaction
     */
    boolean accept(ReceivedTask task);

    /** Accepts a handler's task, like {@link #accept(ReceivedTask)}. */
    default boolean accept(DelayedTask<?> task) {
        return accept(ReceivedTask.of(task));
    }

    /**
     * Accepts the task of a RabbitMQ message, like {@link #accept(ReceivedTask)}.
     *
     * @param headers the headers of the message
     * @throws DelayQueueException if they do not identify a task
     */
    default boolean accept(Map<String, ?> headers) {
        return accept(ReceivedTask.of(headers));
    }

    /**
     * Accepts a task in the current transaction and runs its effect, unless it is a duplicate.
     *
     * @return whether the effect ran
     */
    default boolean runOnce(ReceivedTask task, Runnable effect) {
        boolean first = accept(task);
        if (first) {
            effect.run();
        }
        return first;
    }

    /** Runs the effect once for a handler's task, like {@link #runOnce(ReceivedTask, Runnable)}. */
    default boolean runOnce(DelayedTask<?> task, Runnable effect) {
        return runOnce(ReceivedTask.of(task), effect);
    }

    /** Runs the effect once for the task of a RabbitMQ message, like {@link #runOnce(ReceivedTask, Runnable)}. */
    default boolean runOnce(Map<String, ?> headers, Runnable effect) {
        return runOnce(ReceivedTask.of(headers), effect);
    }

    /**
     * Accepts a task in the current transaction and calls its effect, unless it is a duplicate.
     *
     * @return the effect's non-null result; empty for a duplicate
     */
    default <T> Optional<T> callOnce(ReceivedTask task, Supplier<T> effect) {
        return accept(task) ? Optional.of(effect.get()) : Optional.empty();
    }
}
