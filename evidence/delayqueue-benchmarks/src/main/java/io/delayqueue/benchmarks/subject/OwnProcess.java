// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import java.time.Duration;
import java.util.List;

/**
 * A subject that runs in a process of its own, which also makes calls one by one there: sent from here, each would take
 * the way there and back besides.
 */
public interface OwnProcess extends Subject {

    /** Schedules tasks due then, numbered on from the first, one at a time by so many callers, for so long. */
    Calls schedule(int callers, Duration time, long first, long dueAt);

    /** Cancels these one at a time, for so long at most. Each has to be there. */
    Calls cancel(List<Task> tasks, Duration time);

    /** Processor time that the process has taken, nanoseconds. */
    long cpuNanos();

    /**
     * What was done in a time.
     *
     * @param count how many calls
     * @param nanos how long they took together
     */
    record Calls(long count, long nanos) {

        public double perSecond() {
            return count * 1e9 / nanos;
        }
    }
}
