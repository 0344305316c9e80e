// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.LocalDueTime;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/**
 * A due task in the hands of its handler.
 *
 * @param <T> payload type
 */
public interface DelayedTask<T> {

    /** Returns its queue. */
    String queue();

    /** Returns its id. */
    String id();

    /** Returns the key that it was scheduled with, if any. */
    Optional<String> key();

    /** Returns the group that it was scheduled with, if any. */
    Optional<String> group();

    /**
     * Returns what is the same in all deliveries of one scheduled task, and of no other task: handle it once for each key.
     */
    String taskKey();

    /** Returns when it was due, by the Redis server's clock. */
    Instant dueAt();

    /** Returns which attempt this is, from 1. */
    int attempt();

    /** Returns how long after its due time the handler was called, by the Redis server's clock. */
    Duration lateness();

    /** Returns its headers. */
    Map<String, String> headers();

    /** Returns its payload. */
    T payload();

    /** Returns the right to handle it. */
    TaskLease lease();

    /**
     * Has this attempt fail with an error when the handler has ended, such as one task of a {@linkplain BatchTaskHandler
     * batch}. The error means what it would mean if the handler threw it for this task alone. What the handler throws is for
     * the tasks of a batch that were not failed by this.
     */
    void fail(Throwable error);

    /**
     * Ends this round and begins another: when the handler's work has ended well, the task is not deleted but due again
     * after this time, with the same id, headers and payload, under a task key of its own. Nothing is left of this
     * round's attempts: failures are counted from zero, and a cancel is answered with CANCELLED again. A cancel, a
     * reschedule or another task of the id that came while the handler ran wins, and there is no next round by this
     * one. If the handler throws, the round goes on: it is tried again as always. The last call before the handler's
     * end counts; may be called on any thread.
     *
     * @param after counted from the end of this round by the Redis server's clock; at once where it is not positive
     * @throws io.delayqueue.DueTimeOutOfRangeException if that is after the year 9999
     */
    void again(Duration after);

    /**
     * Ends this round and begins another, like {@link #again(Duration)}, at a moment by the Redis server's clock. If that has
     * passed, the next round is due at once and keeps this due time. So a fixed rate is one line, and does not drift however
     * long a round takes: {@code task.againAt(task.dueAt().plus(rate))}.
     *
     * @throws io.delayqueue.DueTimeOutOfRangeException if the moment lies before the epoch or after the year 9999
     */
    void againAt(Instant due);

    /**
     * Ends this round and begins another, like {@link #again(Duration)}, when clocks in this zone next show this time, such
     * as each day at 9. Counts from the due time of this round. Skips times that had passed when the handler was called, so
     * that an outage of three days leads to one late round and not to three. On days on which clocks skip the time or show it
     * twice, {@link io.delayqueue.LocalDueTime#toInstant} says when it is.
     */
    default void againAt(LocalTime time, ZoneId zone) {
        Instant passed = lateness().isNegative() ? dueAt() : dueAt().plus(lateness());
        LocalDate day = LocalDate.ofInstant(passed, zone);
        Instant next = new LocalDueTime(day.atTime(time), zone).toInstant();
        while (!next.isAfter(passed)) {
            day = day.plusDays(1);
            next = new LocalDueTime(day.atTime(time), zone).toInstant();
        }
        againAt(next);
    }
}
