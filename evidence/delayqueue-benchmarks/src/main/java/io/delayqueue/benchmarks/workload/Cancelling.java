// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.OwnProcess;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Cancels the tasks of a range, each once, in a scattered order. */
final class Cancelling {

    /** A prime number: steps of this size reach each number of a range of another size once. */
    private static final int STRIDE = 7_919;

    private final Subject subject;
    private final long first;
    private final int count;
    private final long dueAt;
    private int cancelled;

    Cancelling(Subject subject, long first, int count, long dueAt) {
        this.subject = subject;
        this.first = first;
        this.count = count;
        this.dueAt = dueAt;
    }

    int cancelled() {
        return cancelled;
    }

    /** Cancels for this time, but at most this number of tasks, and returns the rate per second. */
    double run(Duration time, int most) {
        if (subject instanceof OwnProcess process) {
            List<Task> tasks = IntStream.range(cancelled, Math.min(count, cancelled + most))
                    .mapToObj(this::task)
                    .toList();
            OwnProcess.Calls calls = process.cancel(tasks, time);
            cancelled += (int) calls.count();
            return calls.perSecond();
        }
        int before = cancelled;
        long began = System.nanoTime();
        long end = began + time.toNanos();
        while (System.nanoTime() < end && cancelled - before < most && cancelled < count) {
            Task task = task(cancelled);
            if (!subject.cancel(task)) {
                throw new IllegalStateException("Task " + task.id() + " was not there");
            }
            cancelled++;
        }
        return (cancelled - before) * 1e9 / (System.nanoTime() - began);
    }

    private Task task(int step) {
        return Task.of(0, first + (long) step * STRIDE % count, dueAt);
    }
}
