// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.handler.DelayedTask;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Drops duplicates in the consumer's own transaction, so that a task which is delivered at least once has one effect in
 * the database. What a transaction has accepted is kept with its effect: when it commits, every later delivery of the
 * same task is dropped; when it rolls back, the next delivery has its turn.
 *
 * <pre>{@code
 * @Transactional
 * @DelayQueueListener(queue = "orders")
 * void timeIsUp(DelayedTask<OrderTimeout> task) {
 *     inbox.runOnce(ReceivedTask.of(task), () -> orders.close(task.payload().orderId()));
 * }
 * }</pre>
 *
 * <p>The same task is what has the same task key: retries, expired leases, lost confirms, redrives and dead letters are
 * deliveries of one task. Another call of schedule makes another task, also under the same id, and so does a reschedule
 * that was answered with IN_FLIGHT.
 *
 * <p>Of two deliveries at the same time the second one waits in the database until the first one's transaction has
 * ended. It waits no longer than the database lets a statement wait for a lock; the attempt then fails, and the task
 * comes again.
 *
 * <p>Every method needs a transaction that may write to the inbox's {@link javax.sql.DataSource}, and throws {@link
 * TransactionRequiredException} without one. An exception of the effect has to leave the transactional method, so that
 * the transaction rolls back: who catches it and commits has handled the task. Effects outside the database, such as a
 * payment or a mail, take part in no transaction and may happen again. Safe for use by many threads.
 */
public interface DelayQueueInbox {

    /**
     * Accepts a task in the current transaction.
     *
     * @return true for the first delivery, which is to have its effect in this transaction; false for a duplicate,
     *     which is to be dropped
     * @throws TransactionRequiredException if there is no transaction, or one that cannot hold the row
     * @throws org.springframework.dao.DataAccessException if the database refuses; the transaction has to roll back
     */
    boolean accept(ReceivedTask task);

    /** The same for a task in the hands of a handler. */
    default boolean accept(DelayedTask<?> task) {
        return accept(ReceivedTask.of(task));
    }

    /**
     * The same for a message of RabbitMQ.
     *
     * @param headers those of the message
     * @throws MissingTaskKeyException if the message carries no task
     */
    default boolean accept(Map<String, ?> headers) {
        return accept(ReceivedTask.of(headers));
    }

    /**
     * Accepts a task in the current transaction and has its effect, unless it is a duplicate.
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

    /** The same for a task in the hands of a handler. */
    default boolean runOnce(DelayedTask<?> task, Runnable effect) {
        return runOnce(ReceivedTask.of(task), effect);
    }

    /** The same for a message of RabbitMQ. */
    default boolean runOnce(Map<String, ?> headers, Runnable effect) {
        return runOnce(ReceivedTask.of(headers), effect);
    }

    /**
     * The same with a result.
     *
     * @return what the effect returned, which is not null; empty for a duplicate
     */
    default <T> Optional<T> callOnce(ReceivedTask task, Supplier<T> effect) {
        return accept(task) ? Optional.of(effect.get()) : Optional.empty();
    }
}
