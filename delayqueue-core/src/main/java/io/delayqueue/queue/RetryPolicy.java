// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When a failed delivery is tried again: capped exponential back-off with jitter.
 *
 * @param maxAttempts failed attempts after which the task is dead, at least 1
 * @param initialDelay delay after the first failure
 * @param multiplier by which the delay grows with each failure, at least 1
 * @param maxDelay the longest delay
 * @param jitter share of the delay that is drawn at random, 0 to 1: 0.2 spreads it from 80% to 100%
 */
public record RetryPolicy(int maxAttempts, Duration initialDelay, double multiplier, Duration maxDelay, double jitter) {

    /** Ten attempts, 1 s doubling up to 5 min, a fifth of it at random. */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(10, Duration.ofSeconds(1), 2.0, Duration.ofMinutes(5), 0.2);

    public RetryPolicy {
        Bound.MAX_ATTEMPTS.check("max-attempts", maxAttempts);
        Bound.RETRY_DELAY.check("initial-delay", initialDelay);
        Bound.RETRY_DELAY.check("max-delay", maxDelay);
        require(multiplier >= 1 && multiplier <= 1000, "multiplier must be between 1 and 1000, but is " + multiplier);
        require(
                maxDelay.compareTo(initialDelay) >= 0,
                "max-delay (" + maxDelay + ") must not be less than initial-delay (" + initialDelay + ")");
        require(jitter >= 0 && jitter <= 1, "jitter must be between 0 and 1, but is " + jitter);
    }

    /** Whether a task with this many failures is out of attempts. */
    public boolean isExhausted(int failures) {
        return failures >= maxAttempts;
    }

    /** The delay before the attempt that follows this many failures (at least 1). */
    public Duration delayAfter(int failures, RandomGenerator random) {
        double grown = initialDelay.toMillis() * Math.pow(multiplier, Math.max(0, failures - 1));
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
