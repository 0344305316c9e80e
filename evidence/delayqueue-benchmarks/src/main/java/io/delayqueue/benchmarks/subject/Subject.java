// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import java.util.List;

/** One way to delay tasks. Delivers tasks as soon as it is created, if its need names a destination. */
public interface Subject extends AutoCloseable {

    /** Schedules one task, and returns when it is stored. Thread-safe. */
    void schedule(Task task);

    /** Schedules tasks of one queue in the way that is fastest for the subject, and returns when they are stored. */
    void scheduleAll(List<Task> tasks);

    /** Cancels a task. Returns whether it existed. */
    boolean cancel(Task task);

    /** Returns the number of stored tasks that are not complete. */
    long pending();

    /** Returns the number of such tasks in one queue, or in all queues if the subject cannot distinguish them. */
    default long pending(int queue) {
        return pending();
    }

    @Override
    void close();
}
