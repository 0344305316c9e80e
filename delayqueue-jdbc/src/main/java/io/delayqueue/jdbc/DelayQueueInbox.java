// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TransactionMismatchException;
import io.delayqueue.handler.DelayedTask;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Discards duplicates in the consumer's transaction, so that a task that is delivered at least once has a single effect
 * in the database. Stores the key of an accepted task together with its effect. After a commit, later deliveries of the
 * task are discarded; after a rollback, the next delivery is accepted.
 * <pre>{@code
 * @Transactional
 * @DelayQueueListener(queue = "orders")
 * void timeIsUp(DelayedTask<OrderTimeout> task) {
 *     inbox.runOnce(ReceivedTask.of(task), () -> orders.close(task.payload().orderId()));
 * }
 * }</pre>
 *
 * <p>Deliveries with the same task key are deliveries of the same task: retries, and deliveries after expired leases,
 * lost confirms, redrives and dead-lettering. Each schedule call creates a new task, even with the same id, and so does
 * a reschedule with the outcome IN_FLIGHT.
 *
 * <p>If two deliveries are concurrent, the second waits in the database until the first one's transaction ends. If the
 * wait exceeds the database's lock time-out, the attempt fails and the task is retried.
 *
 * <p>Every method requires a writable transaction of the inbox's {@link javax.sql.DataSource}; otherwise, it throws
 * {@link TransactionMismatchException}. Let exceptions of the effect propagate out of the transactional method, so that
 * the transaction rolls back. If you catch an exception and commit, the task counts as handled. Effects outside the
 * database, such as a payment or an email, are not part of the transaction and may be repeated. Implementations are
 * thread-safe.
 */
public interface DelayQueueInbox {

    /**
     * Accepts a task in the current transaction.
     *
     * @return {@code true} for the first delivery, whose effect you then apply in this transaction; {@code false} for a
     *     duplicate, which you ignore
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
     * @throws DelayQueueException if the headers do not identify a task
     */
    default boolean accept(Map<String, ?> headers) {
        return accept(ReceivedTask.of(headers));
    }

    /**
     * Accepts a task in the current transaction and runs its effect, unless the delivery is a duplicate.
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
     * Accepts a task in the current transaction and calls its effect, unless the delivery is a duplicate.
     *
     * @return the effect's non-null result; empty for a duplicate
     */
    default <T> Optional<T> callOnce(ReceivedTask task, Supplier<T> effect) {
        return accept(task) ? Optional.of(effect.get()) : Optional.empty();
    }
}
