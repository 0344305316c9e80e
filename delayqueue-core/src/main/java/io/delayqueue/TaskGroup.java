// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.util.Optional;

/**
 * The tasks of a queue that were scheduled with the same {@link ScheduleRequest.Builder#group}. A lightweight,
 * immutable, thread-safe handle. Every method blocks until Redis has replied.
 *
 * <p>Calls that change the group reach all live tasks that were scheduled before the call: each is changed or reported
 * as in flight. One atomic call changes up to a few hundred tasks. Larger groups take several atomic steps, as the
 * {@link GroupResult} shows; tasks scheduled in the meantime may or may not be changed. If Redis fails between two
 * steps, {@link GroupPartlyChangedException} reports the progress, and {@link #resume} continues.
 *
 * <p>Within a transaction that defers calls ({@link TransactionMode}), changes of a group wait for the commit and
 * return {@link GroupResult#DEFERRED}. They reach all tasks that the transaction has already scheduled in the group.
 * Tasks that wait for a commit or in the outbox are neither counted nor listed.
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
     * Returns the next tasks, live and dead. A task that exists throughout is returned once.
     *
     * @param position {@link TaskPage#position} of the previous tasks; empty to start
     */
    TaskPage<ListedTask> list(String position);

    /**
     * Cancels the group's live tasks and discards its dead ones. No delivery of them starts afterwards, and no redrive
     * restores them.
     */
    GroupResult cancel();

    /**
     * Gives the group's waiting tasks this due time. A delay starts when each step of the call runs, by the Redis
     * server's clock; {@link Due#at} gives all tasks the same moment.
     */
    GroupResult reschedule(Due due);

    /**
     * Moves the due times of the group's waiting tasks, and the next attempts of those that will be retried. Each task
     * moves once, even if replies are lost and {@link #resume} continues within ten minutes. There is one exception: if
     * the reply of a step is lost and the step is repeated only after the number of shards has changed, its tasks may
     * move twice. During a reshard of the queue, the call waits until the reshard ends, and fails if that takes too
     * long.
     *
     * @param by the duration, rounded up to whole milliseconds; negative for earlier. Tasks moved before now are due at
     *     once.
     * @throws InvalidTaskException if it exceeds the range of due times, from the epoch to the end of the year
     *     9999
     */
    GroupResult shift(Duration by);

    /**
     * Continues a call that failed with a {@link GroupPartlyChangedException}, on a group of the same name. A relative
     * due time counts from now.
     *
     * @param resumption the string from the exception
     * @return the result of the continued steps
     * @throws IllegalArgumentException if the string is invalid
     */
    GroupResult resume(String resumption);
}
