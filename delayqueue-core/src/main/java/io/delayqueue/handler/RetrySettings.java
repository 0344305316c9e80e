// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.internal.input.Bound;
import java.time.Duration;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Retries of failed deliveries: capped exponential back-off with jitter. The names follow Spring Framework's
 * {@code RetrySettings}. Values out of range fail with an {@link IllegalArgumentException}.
 *
 * @param maxRetries number of retries after the first attempt; 0 for no retry. When the last retry fails, the task
 *     becomes dead.
 * @param delay delay before the first retry
 * @param multiplier factor that multiplies the delay with each retry, 1 to 1000
 * @param maxDelay maximum delay
 * @param jitter maximum random reduction of the delay, as a share, 0 to 1; 0.2 results in 80% to 100% of the
 *     delay
 * @param excludes exceptions of handlers, including subclasses and causes, that make a task dead without a retry
 */
public record RetrySettings(
        int maxRetries,
        Duration delay,
        double multiplier,
        Duration maxDelay,
        double jitter,
        Set<Class<? extends Throwable>> excludes) {

    /**
     * The default: 35 retries in about a day. The delay starts at 1 s and doubles up to an hour; each delay is randomly
     * shortened by up to a fifth.
     */
    public static final RetrySettings DEFAULT =
            new RetrySettings(35, Duration.ofSeconds(1), 2.0, Duration.ofHours(1), 0.2);

    /** Creates settings that exclude no exception. */
    public RetrySettings(int maxRetries, Duration delay, double multiplier, Duration maxDelay, double jitter) {
        this(maxRetries, delay, multiplier, maxDelay, jitter, Set.of());
    }

    public RetrySettings {
        excludes = Set.copyOf(excludes);
        Bound.MAX_RETRIES.check("max-retries", maxRetries);
        Bound.RETRY_DELAY.check("delay", delay);
        Bound.RETRY_DELAY.check("max-delay", maxDelay);
        require(multiplier >= 1 && multiplier <= 1000, "multiplier must be between 1 and 1000, but is " + multiplier);
        require(
                maxDelay.compareTo(delay) >= 0,
                "max-delay (" + maxDelay + ") must not be less than delay (" + delay + ")");
        require(jitter >= 0 && jitter <= 1, "jitter must be between 0 and 1, but is " + jitter);
    }

    /** Returns whether the settings exclude this exception. Does not check its causes. */
    public boolean isExcluded(Throwable error) {
        return excludes.stream().anyMatch(type -> type.isInstance(error));
    }

    /** Returns whether a task with this number of failures has no retries left. */
    public boolean isExhausted(int failures) {
        return failures > maxRetries;
    }

    /** Returns the delay before the next retry after this number of failures (at least 1). */
    public Duration delayAfter(int failures, RandomGenerator random) {
        double grown = delay.toMillis() * Math.pow(multiplier, Math.max(0, failures - 1));
        double capped = Math.min(grown, maxDelay.toMillis());
        double drawn = capped * (1 - jitter * random.nextDouble());
        return Duration.ofMillis(Math.max(1, (long) drawn));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
