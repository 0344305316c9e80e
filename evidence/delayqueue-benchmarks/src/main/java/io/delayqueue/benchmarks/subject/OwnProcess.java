// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import java.time.Duration;
import java.util.List;

/**
 * A subject that runs in a separate process. Single calls are also made in that process, because a call from this
 * process would take an additional round trip.
 */
public interface OwnProcess extends Subject {

    /**
     * Schedules tasks with this due time and consecutive numbers until the time is over. Each caller schedules one task
     * at a time.
     */
    Calls schedule(int callers, Duration time, long first, long dueAt);

    /** Cancels these tasks one at a time, up to this time. Each task must exist. */
    Calls cancel(List<Task> tasks, Duration time);

    /** Returns the processor time of the process in nanoseconds. */
    long cpuNanos();

    /**
     * The calls in a period.
     *
     * @param count number of calls
     * @param nanos their total duration
     */
    record Calls(long count, long nanos) {

        public double perSecond() {
            return count * 1e9 / nanos;
        }
    }
}
