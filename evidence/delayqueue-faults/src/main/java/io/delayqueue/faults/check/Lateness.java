// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * How late attempts were.
 *
 * @param count how many there were
 */
public record Lateness(int count, Duration p50, Duration p99, Duration max) {

    /** Of attempts that were late by so many microseconds each. */
    public static Lateness of(List<Long> micros) {
        long[] sorted = micros.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return new Lateness(sorted.length, at(sorted, 50), at(sorted, 99), at(sorted, 100));
    }

    /** Of both together no less than it was: the higher of each. */
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
