// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The lateness of attempts.
 *
 * @param count number of attempts
 */
public record Lateness(int count, Duration p50, Duration p99, Duration max) {

    /** Returns the lateness of attempts from the lateness of each in microseconds. */
    public static Lateness of(List<Long> micros) {
        long[] sorted = micros.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return new Lateness(sorted.length, at(sorted, 50), at(sorted, 99), at(sorted, 100));
    }

    /** Returns an upper bound for both together: the higher value of each figure. */
    Lateness and(Lateness other) {
        return new Lateness(
                count + other.count, longer(p50, other.p50), longer(p99, other.p99), longer(max, other.max));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static Duration at(long[] sorted, int percent) {
        if (sorted.length == 0) {
            return Duration.ZERO;
        }
        int rank = (int) Math.ceil(sorted.length * percent / 100.0);
        return Duration.ofNanos(sorted[Math.max(0, rank - 1)] * 1000);
    }
}
