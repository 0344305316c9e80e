// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the log lines for handler failures of one queue to ten per exception type and minute, so that the log stays
 * readable when every task fails. Thread-safe.
 */
final class FailureLog {

    static final int MOST_LINES = 10;

    /** Maximum number of types with separate limits; all other types share one limit. */
    static final int MOST_TYPES = 100;

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanoTime;
    private final Map<Class<?>, Minute> types = new ConcurrentHashMap<>();

    FailureLog() {
        this(System::nanoTime);
    }

    /** @param nanoTime like {@link System#nanoTime()} */
    FailureLog(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Decides whether to log a failure.
     *
     * @return the number of failures of this type that were omitted since the last line; negative to omit this failure
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
