// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.util.stream.LongStream;

/**
 * The arrivals of a flood in one process, or in all processes.
 *
 * @param arrived number of handled tasks
 * @param firstAt time of the first, epoch microseconds
 * @param lastAt time of the last, epoch microseconds
 * @param marks the sum of their {@linkplain #mark marks}
 * @param wrong number of tasks that were early or do not belong to the flood
 */
record Tally(long arrived, long firstAt, long lastAt, long marks, long wrong) {

    static final Tally NONE = new Tally(0, Long.MAX_VALUE, 0, 0, 0);

    /**
     * Spreads numbers over the whole range of a long. The sum of the marks of a range therefore practically never
     * equals the sum for a range with one number missing and another one duplicated.
     */
    static long mark(long number) {
        long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    Tally plus(Tally other) {
        return new Tally(
                arrived + other.arrived,
                Math.min(firstAt, other.firstAt),
                Math.max(lastAt, other.lastAt),
                marks + other.marks,
                wrong + other.wrong);
    }

    /** Returns whether these numbers arrived, each once. */
    boolean isEachOnce(long first, int count) {
        return arrived == count
                && marks
                        == LongStream.range(first, first + count)
                                .map(Tally::mark)
                                .sum();
    }

    double rate() {
        return (arrived == 0) ? 0 : arrived * 1e6 / micros();
    }

    /** Returns the microseconds from the first to the last. */
    long micros() {
        return Math.max(1, lastAt - firstAt);
    }
}
