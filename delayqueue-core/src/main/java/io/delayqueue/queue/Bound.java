// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import io.delayqueue.internal.input.DurationText;
import java.time.Duration;

/**
 * What a setting of a queue may be, wherever its value comes from: a property, an attribute of an annotation, options
 * in code or an overridden method of a trigger.
 *
 * @param least the smallest value
 * @param most the largest value
 */
public record Bound<T extends Comparable<T>>(T least, T most) {

    /** Durations are kept in milliseconds; one of more than a year would only overflow somewhere. */
    private static final Bound<Duration> DURATION = new Bound<>(Duration.ofMillis(1), Duration.ofDays(365));

    private static final Bound<Integer> AT_LEAST_ONE = new Bound<>(1, Integer.MAX_VALUE);

    /** How long an acquired task is its trigger's. */
    public static final Bound<Duration> LEASE = DURATION;

    /** How long a trigger sleeps at most between two scans. */
    public static final Bound<Duration> MAX_IDLE_INTERVAL = DURATION;

    /** How long a stop waits for running deliveries. */
    public static final Bound<Duration> SHUTDOWN_TIMEOUT = DURATION;

    /** How long a task waits for others of its batch. */
    public static final Bound<Duration> MAX_WAIT = new Bound<>(Duration.ZERO, Duration.ofHours(1));

    /** How long one attempt of a handler may take. */
    public static final Bound<Duration> HANDLER_TIMEOUT = DURATION;

    /** How long a task may be overdue when it is delivered. */
    public static final Bound<Duration> EXPIRES_AFTER = new Bound<>(Duration.ofMillis(1), Duration.ofDays(3_650));

    /** The first and the longest delay before an attempt. */
    public static final Bound<Duration> RETRY_DELAY = DURATION;

    /** How long before it is due a task may be taken. */
    public static final Bound<Duration> LOOK_AHEAD = new Bound<>(Duration.ZERO, Duration.ofMillis(100));

    /** Over how many keys a queue spreads. */
    public static final Bound<Integer> SHARDS = new Bound<>(1, 1_024);

    /** Deliveries of batches that run at the same time. */
    public static final Bound<Integer> CONCURRENCY = new Bound<>(1, 10_000);

    /** Tasks acquired and delivered together; as many as a call to the store carries. */
    public static final Bound<Integer> BATCH_SIZE = new Bound<>(1, 500);

    /** Retries of a failed delivery after which its task is dead. */
    public static final Bound<Integer> MAX_RETRIES = new Bound<>(0, Integer.MAX_VALUE);

    /** Leases of a task that may run out before it is dead; with none its handler begins at most once. */
    public static final Bound<Integer> MAX_LEASE_EXPIRIES = new Bound<>(0, Integer.MAX_VALUE);

    /** Overdue tasks delivered in a second. */
    public static final Bound<Integer> CATCH_UP_RATE = AT_LEAST_ONE;

    /** How many replicas of the Redis master must have what is scheduled. A number that nobody has is a mistake. */
    public static final Bound<Integer> REPLICAS = new Bound<>(0, QueueSettings.MOST_REPLICAS);

    /** How many entries the history of a queue has for each shard; none where there is no history. */
    public static final Bound<Integer> HISTORY = new Bound<>(0, 1_000_000);

    /** Whether a value is neither too small nor too large. */
    public boolean allows(T value) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }

    /**
     * Returns the value.
     *
     * @param where it comes from, for the message
     * @throws IllegalArgumentException if it is too small or too large
     */
    public T check(String where, T value) {
        if (!allows(value)) {
            throw new IllegalArgumentException(where + " must be " + requirement() + ", but is " + shown(value));
        }
        return value;
    }

    /** The bounds in words, such as {@code between 1ms and 365d}. */
    public String requirement() {
        return most.equals(Integer.MAX_VALUE)
                ? "at least " + shown(least)
                : "between " + shown(least) + " and " + shown(most);
    }

    private static String shown(Object value) {
        return (value instanceof Duration duration) ? DurationText.of(duration) : value.toString();
    }
}
