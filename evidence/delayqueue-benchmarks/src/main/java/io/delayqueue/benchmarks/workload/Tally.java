// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.util.stream.LongStream;

/**
 * What has arrived of a flood in one process, or in all of them.
 *
 * @param arrived tasks handled
 * @param firstAt when the first was, epoch microseconds
 * @param lastAt when the last was
 * @param marks the sum of their {@linkplain #mark marks}
 * @param wrong tasks that came early, or are none of the flood's
 */
record Tally(long arrived, long firstAt, long lastAt, long marks, long wrong) {

    static final Tally NONE = new Tally(0, Long.MAX_VALUE, 0, 0, 0);

    /**
     * Spreads numbers over all that a long can be, so that the sum of a range's marks is as good as never that of the
     * same range where one number is missing and another is there twice.
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

    /** Microseconds from the first to the last. */
    long micros() {
        return Math.max(1, lastAt - firstAt);
    }
}
