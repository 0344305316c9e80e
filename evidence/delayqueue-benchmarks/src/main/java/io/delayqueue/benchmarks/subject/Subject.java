// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import java.util.List;

/** One way to delay tasks. Delivers from the moment it is made, if its need says where to. */
public interface Subject extends AutoCloseable {

    /** Schedules one task, and returns when it is stored. Safe for use by many threads. */
    void schedule(Task task);

    /** Schedules tasks of one queue in the quickest way that the subject offers, and returns when they are stored. */
    void scheduleAll(List<Task> tasks);

    /** Cancels a task. Answers whether it was there. */
    boolean cancel(Task task);

    /** Returns how many tasks are stored and not yet done. */
    long pending();

    /** Returns the same of one queue; of a subject that cannot tell them apart, of all. */
    default long pending(int queue) {
        return pending();
    }

    @Override
    void close();
}
