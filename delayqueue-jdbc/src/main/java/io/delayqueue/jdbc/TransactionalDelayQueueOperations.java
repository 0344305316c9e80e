// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.ScheduleRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * Schedule, cancel and reschedule delayed tasks within a transaction of the application's database: a call writes a
 * row, and what it asks for happens if and only if the transaction commits, a moment later. Nothing is lost when the
 * process or Redis fails in between. Safe for use by many threads.
 *
 * <p>The transaction has to be one of the {@code DataSource} that keeps the outbox (see {@link DelayQueueDataSource}),
 * whichever of Spring's transaction managers has begun it, and one that may write; others are refused with {@link
 * TransactionRequiredException}. Outside a transaction {@code delayqueue.jdbc.outside-transaction} decides: calls are
 * refused, or made at once.
 *
 * <p>A call checks its request as {@link io.delayqueue.DelayQueueOperations} does and throws the same exceptions for
 * bad input; those of Spring's {@code DataAccessException} say that the database refused, and the transaction should
 * then be rolled back.
 *
 * <p>Calls for one task are carried out in the order of their transactions' commits. To see to that, a call waits while
 * another transaction is open that has made one for the same task. A call may be carried out again after a crash; the
 * request id keeps a schedule from storing a task twice that is still in the queue. What became of a call is told to
 * {@link OutboxListener}s.
 *
 * <p>A delay is counted from the call, by the clock of this process.
 */
public interface TransactionalDelayQueueOperations {

    /**
     * Schedules a payload to be delivered after a delay.
     *
     * @return the id that was made for the task
     */
    String schedule(String queue, Object payload, Duration delay);

    /**
     * Schedules a payload to be delivered at a point in time; one that has passed means at once.
     *
     * @return the id that was made for the task
     */
    String schedule(String queue, Object payload, Instant dueAt);

    /**
     * Schedules a task with all that a request can say.
     *
     * @return its id
     */
    String schedule(ScheduleRequest<?> request);

    /**
     * Schedules many tasks. All requests are checked first; one bad request refuses them all.
     *
     * @return the ids, in the order of the requests
     */
    List<String> scheduleAll(Collection<? extends ScheduleRequest<?>> requests);

    /** Cancels a task. Whether it was still there is known after the commit. */
    void cancel(String queue, String id);

    /** Gives a task another due time, if it is still there after the commit. */
    void reschedule(String queue, String id, Duration delay);

    /** Gives a task another due time, if it is still there after the commit. */
    void reschedule(String queue, String id, Instant dueAt);
}
