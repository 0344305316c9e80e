// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.transaction;

import io.delayqueue.benchmarks.subject.Task;
import java.util.List;

/** One way to schedule a task in the transaction that inserts an order. Thread-safe. */
public interface TransactionSubject extends AutoCloseable {

    /** Inserts one order for each task and schedules the tasks in one transaction; returns when that is committed. */
    void transaction(List<Task> tasks);

    /** Returns the number of tasks that have reached their store. */
    long arrived();

    /** Returns when the task with this number arrived, by {@link System#nanoTime}; 0 if unknown. */
    default long arrivedNanos(long number) {
        return 0;
    }

    /** Returns the number of statements sent to the database. */
    long statements();

    @Override
    void close();
}
