// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

import java.time.Duration;

/**
 * The valid range of a queue setting, regardless of whether a property, an annotation attribute, options in code or a
 * trigger method set it.
 *
 * @param least the smallest value
 * @param most the largest value
 */
public record Bound<T extends Comparable<T>>(T least, T most) {

    /** Range of durations. They are stored in milliseconds; the upper bound prevents overflows. */
    private static final Bound<Duration> DURATION = new Bound<>(Duration.ofMillis(1), Duration.ofDays(365));

    public static final Bound<Duration> LEASE = DURATION;

    public static final Bound<Duration> MAX_IDLE_INTERVAL = DURATION;

    public static final Bound<Duration> SHUTDOWN_TIMEOUT = DURATION;

    public static final Bound<Duration> MAX_WAIT = new Bound<>(Duration.ZERO, Duration.ofHours(1));

    public static final Bound<Duration> HANDLER_TIMEOUT = DURATION;

    public static final Bound<Duration> EXPIRES_AFTER = new Bound<>(Duration.ofMillis(1), Duration.ofDays(3_650));

    public static final Bound<Duration> RETRY_DELAY = DURATION;

    public static final Bound<Integer> SHARDS = new Bound<>(1, 1_024);

    public static final Bound<Integer> CONCURRENCY = new Bound<>(1, 10_000);

    /** Number of tasks acquired and delivered together; the upper bound is that of a call to the store. */
    public static final Bound<Integer> BATCH_SIZE = new Bound<>(1, 500);

    public static final Bound<Integer> MAX_RETRIES = new Bound<>(0, Integer.MAX_VALUE);

    /** Maximum number of lease expiries; with 0, its delivery starts at most once. */
    public static final Bound<Integer> MAX_LEASE_EXPIRIES = new Bound<>(0, Integer.MAX_VALUE);

    /** Number of deliveries of one key in progress at the same time. */
    public static final Bound<Integer> KEY_CONCURRENCY = new Bound<>(1, 1_000);

    /** Number of tasks that a rate allows at once. */
    public static final Bound<Integer> BURST = new Bound<>(1, 10_000);

    /** Number of replicas of the Redis master that must have a scheduled task. A larger number would be a mistake. */
    public static final Bound<Integer> REPLICAS = new Bound<>(0, 16);

    /** Number of history entries per shard; 0 for no history. */
    public static final Bound<Integer> HISTORY = new Bound<>(0, 1_000_000);

    /** Maximum size of a stored stack trace in bytes. Less would hardly hold its first line. */
    public static final Bound<Integer> STACK_TRACE = new Bound<>(256, 16_384);

    public boolean allows(T value) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }

    /**
     * Returns the value if it is within the bounds.
     *
     * @param where origin of the value, for the message
     * @throws IllegalArgumentException if it is too small or too large
     */
    public T check(String where, T value) {
        if (!allows(value)) {
            throw new IllegalArgumentException(where + " must be " + requirement() + ", but is " + shown(value));
        }
        return value;
    }

    /** Returns the bounds in words, for example {@code between 1ms and 365d}. */
    public String requirement() {
        return most.equals(Integer.MAX_VALUE)
                ? "at least " + shown(least)
                : "between " + shown(least) + " and " + shown(most);
    }

    private static String shown(Object value) {
        return (value instanceof Duration duration) ? DurationText.of(duration) : value.toString();
    }
}
