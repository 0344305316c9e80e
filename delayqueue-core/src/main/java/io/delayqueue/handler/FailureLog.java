// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which failures of one queue's handler get a line in the log: of each type of exception the first ten of a minute, so that a
 * queue of which every task fails leaves a log that can be read. Safe for use by many threads.
 */
final class FailureLog {

    /** Lines of one type in a minute. */
    static final int MOST_LINES = 10;

    /** Types that are told apart; the others share their lines. */
    static final int MOST_TYPES = 100;

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private final Map<Class<?>, Minute> types = new ConcurrentHashMap<>();

    FailureLog() {
        this(System::nanoTime);
    }

    /** @param nanoTime as {@link System#nanoTime()} */
    FailureLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Whether a failure gets a line.
     *
     * @return how many of its type were left out since the last line; negative if this one is left out, too
     */
    long admit(Throwable error) {
        Class<?> type = error.getClass();
        Minute minute = types.get(type);
        if (minute == null) {
            Class<?> key = (types.size() < MOST_TYPES) ? type : Throwable.class;
            minute = types.computeIfAbsent(key, any -> new Minute(nanoTime.getAsLong()));
        }
        return minute.admit(nanoTime.getAsLong());
    }

    private static final class Minute {

        private long begin;
        private int lines;
        private long leftOut;

        Minute(long begin) {
            this.begin = begin;
        }

        synchronized long admit(long now) {
            if (now - begin >= MINUTE) {
                begin = now;
                lines = 0;
            }
            if (lines == MOST_LINES) {
                leftOut++;
                return -1;
            }
            lines++;
            long before = leftOut;
            leftOut = 0;
            return before;
        }
    }
}
