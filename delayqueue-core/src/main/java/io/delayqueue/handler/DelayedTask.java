// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.LocalDueTime;
import io.delayqueue.TaskIds;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/**
 * A due task that is passed to its handler.
 *
 * @param <T> payload type
 */
public interface DelayedTask<T> {

    /** Returns its queue. */
    String queue();

    /** Returns its id. */
    String id();

    /** Returns the key of the task, if any. */
    default Optional<String> key() {
        return TaskIds.keyOf(id());
    }

    /** Returns its group, if it has one. */
    default Optional<String> group() {
        return TaskIds.groupOf(id());
    }

    /** Returns the key that identifies one scheduled task in all its deliveries. Use it to handle each task once. */
    String taskKey();

    /**
     * Returns its due time as scheduled, last rescheduled or redriven, by the Redis server's clock. A retry does not
     * change it.
     */
    Instant dueAt();

    /** Returns the number of this attempt, from 1. */
    int attempt();

    /** Returns how long after its due time the handler was called, by the Redis server's clock. */
    Duration lateness();

    /**
     * Returns its headers: the headers of the request, of a tracer, and for type, version and timing if the request set
     * them. Names that begin with {@code dq-} are reserved: do not copy these headers to another task.
     */
    Map<String, String> headers();

    /** Returns its payload. */
    T payload();

    /** Returns the task's lease. */
    TaskLease lease();

    /**
     * Makes this attempt fail with an error when the handler ends, for example for one task of a {@linkplain
     * BatchTaskHandler batch}. The error has the same effect as if the handler threw it for this task alone. An
     * exception that the handler throws then applies only to the other tasks of the batch.
     */
    void fail(Throwable error);

    /**
     * Requests another round: when the handler succeeds, the task is due again after this delay, with the same id,
     * headers and payload and a new task key. The next round starts with no failed attempts, and a cancel returns
     * CANCELLED again. If the task is cancelled, rescheduled or replaced while the handler runs, that takes precedence
     * and there is no further round. If the handler throws, the task is retried in this round as usual; if it becomes
     * dead, there is no further round. If called several times, the last call before the handler ends counts. May be
     * called on any thread.
     *
     * @param after delay from the end of this round, by the Redis server's clock; due at once if zero or negative
     * @throws io.delayqueue.InvalidTaskException if that is after the year 9999
     */
    void again(Duration after);

    /**
     * Requests another round, like {@link #again(Duration)}, at a moment by the Redis server's clock. If that moment
     * has passed, the next round is due at once and keeps it as its due time. For a fixed rate that does not drift,
     * call {@code task.againAt(task.dueAt().plus(rate))}.
     *
     * @throws io.delayqueue.InvalidTaskException if the moment is before the epoch or after the year 9999
     */
    void againAt(Instant due);

    /**
     * Requests another round, like {@link #again(Duration)}, at the first occurrence of a local time after the handler
     * was called, for example every day at 9. An outage of three days causes one late round instead of three. If the
     * clocks skip or repeat the time on a day, {@link io.delayqueue.LocalDueTime#toInstant} determines the moment.
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
