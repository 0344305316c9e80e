// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.benchmarks.subject.Task;
import java.util.List;

/** One way to schedule a task in the transaction that inserts an order. Safe for use by many threads. */
public interface TransactionSubject extends AutoCloseable {

    /** Inserts one order for each task and schedules the tasks in one transaction; returns when that is committed. */
    void transaction(List<Task> tasks);

    /** Returns how many of the tasks are where they are to wait. */
    long arrived();

    /** Returns which of them is there since when, by {@link System#nanoTime}; 0 where that is not known. */
    default long arrivedNanos(long number) {
        return 0;
    }

    /** Returns how many statements were sent to the database. */
    long statements();

    @Override
    void close();
}
