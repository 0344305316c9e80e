// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.util.Optional;

/**
 * The tasks of a queue that were scheduled with the same {@link ScheduleRequest.Builder#group}. A lightweight,
 * immutable, thread-safe handle. Every method blocks until Redis has replied.
 *
 * <p>A call that changes the group applies to all live tasks that were scheduled before the call: each task is changed
 * or reported as in flight. Up to a few hundred tasks are changed atomically. A larger group takes several atomic steps
 * ({@link GroupResult#steps}); tasks scheduled in the meantime may be missed. If Redis fails between two steps,
 * {@link GroupPartlyChangedException} reports the progress, and {@link #resume} continues.
 *
 * <p>Within a transaction that defers calls ({@link TransactionMode}), changes of a group wait for the commit and
 * return {@link GroupResult#DEFERRED}. They apply to all tasks that the transaction has already scheduled in the group.
 * Counts and lists do not include tasks that wait for a commit or are in the outbox.
 */
public interface TaskGroup {

    /** Returns the name of the queue. */
    String queue();

    /** Returns the name of the group. */
    String name();

    /** Returns the key of its tasks, or empty if they have none. */
    Optional<String> key();

    /** Returns the task that was scheduled in this group with this id. */
    TaskHandle task(String id);

    /** Returns the number of live tasks, waiting or leased. */
    long count();

    /** Returns the first tasks, live and dead, ordered by id, at most 500. */
    default TaskPage<ListedTask> list() {
        return list("");
    }

    /**
     * Returns the next tasks, live and dead. A task that exists during the complete iteration is returned once.
     *
     * @param position {@link TaskPage#position} of the previous tasks; empty to start
     * @throws IllegalArgumentException if the position belongs to another group
     */
    TaskPage<ListedTask> list(String position);

    /**
     * Cancels the group's live tasks and discards its dead ones. No delivery of these tasks starts afterwards, and no
     * redrive can restore them.
     */
    GroupResult cancel();

    /**
     * Reschedules the group's waiting tasks to this due time. A delay starts when a step of the call runs, by the Redis
     * server's clock; use {@link Due#at} to give all tasks the same due time.
     */
    GroupResult reschedule(Due due);

    /**
     * Moves the due times of the group's waiting tasks. For a task that waits for a retry, moves its next attempt. Each
     * task moves once, even if replies are lost and {@link #resume} continues within ten minutes. There is one
     * exception: if the reply of a step is lost and the number of shards changes before the step is repeated, its tasks
     * may move twice. During a reshard of the queue, the call waits until the reshard ends, and fails if that takes too
     * long.
     *
     * @param by shift, rounded up to whole milliseconds; negative for earlier. Tasks that are moved into the past are
     *     due at once. A due time does not leave the range from the epoch to the end of the year 9999.
     * @throws InvalidTaskException if the shift is longer than this range
     */
    GroupResult shift(Duration by);

    /**
     * Continues a call that failed with a {@link GroupPartlyChangedException}. Call it on a group of the same name. A
     * relative due time is measured from now.
     *
     * @param resumption the string from the exception
     * @return the result of the continued steps
     * @throws IllegalArgumentException if the string is invalid or belongs to another group
     */
    GroupResult resume(String resumption);
}
