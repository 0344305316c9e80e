// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.util.Optional;

/**
 * A handle on the tasks of a queue that were scheduled with one {@link ScheduleRequest.Builder#group}. Cheap to make, immutable,
 * safe for use by many threads. Every method blocks until Redis has answered.
 *
 * <p>Calls that change the group reach all of its live tasks that were scheduled before the call: each is changed, or reported
 * to be in flight. A group of up to some hundred tasks is changed in one atomic step. A larger one takes several steps, each of
 * them atomic, and the {@link GroupResult} says so; tasks that are scheduled meanwhile may be changed or not. Where Redis fails
 * between two steps, {@link GroupPartlyChangedException} says what was done, and {@link #resume} goes on.
 *
 * <p>Within a transaction with which calls are decided ({@link TransactionMode}) changes of a group wait for the commit, and
 * answer {@link GroupResult#DEFERRED}. They reach all tasks that the transaction has scheduled in the group before. Tasks that
 * still wait for a commit, or in the outbox, are not yet counted nor listed.
 */
public interface TaskGroup {

    /** The queue. */
    String queue();

    /** The name given to {@link ScheduleRequest.Builder#group}. */
    String name();

    /** Returns the key that its tasks have, or empty if they have none. */
    Optional<String> key();

    /** Returns the task that was scheduled in this group with this id. */
    TaskHandle task(String id);

    /** Returns how many live tasks it has, waiting or leased. */
    long count();

    /** Its first tasks, live and dead, in the order of their ids. */
    default GroupPage list() {
        return list("");
    }

    /**
     * More of its tasks, live and dead. A task that is there all the time comes once.
     *
     * @param next what the page before answered; empty to begin
     */
    GroupPage list(String next);

    /**
     * Cancels its live tasks and discards its dead ones. No delivery of them begins afterwards, and no redrive brings them
     * back.
     */
    GroupResult cancel();

    /**
     * Gives its waiting tasks this due time. A delay counts from now by the Redis server's clock, and anew for each step of a
     * large group; {@link Due#at} gives all tasks one moment.
     */
    GroupResult reschedule(Due due);

    /**
     * Moves the due times of its waiting tasks, and the next attempts of those that are tried again. Each task is moved once,
     * also where answers are lost and {@link #resume} goes on within ten minutes; a step whose answer was lost, and that is
     * sent again only after the number of shards has changed, may move its tasks twice. While the number of shards of the queue
     * changes, the call waits for the end of that, and fails if it is not over in time.
     *
     * @param by by how much, rounded up to whole milliseconds; negative for sooner. What comes before now is due at once
     * @throws DueTimeOutOfRangeException if it is more than due times reach, from the epoch to the end of the year 9999
     */
    GroupResult shift(Duration by);

    /**
     * Goes on with a call that a {@link GroupPartlyChangedException} has ended, on a group of the same name. A delay is counted
     * from now.
     *
     * @param resumption what the exception says
     * @return what was done from there on
     * @throws IllegalArgumentException if it is no such text
     */
    GroupResult resume(String resumption);
}
