// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Task;
import io.delayqueue.benchmarks.transaction.TransactionSubject;
import io.delayqueue.benchmarks.transaction.TransactionSubjects;
import java.time.Duration;
import java.util.List;

/** W15: the cost of an empty outbox: statements that the application sends to the database. */
final class IdleOutboxWorkload implements Workload {

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        try (TransactionSubject subject = TransactionSubjects.open(setting.subject(), setting.place(), List.of())) {
            long dueAt = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
            subject.transaction(List.of(Task.of(0, 1, dueAt)));
            Thread.sleep(setting.size(10_000, 7_000));
            recorder.begin();
            long before = subject.statements();
            long cpu = ProcessorTime.nanos();
            long began = System.nanoTime();
            Thread.sleep(setting.size(60_000, 20_000));
            double seconds = (System.nanoTime() - began) / 1e9;
            recorder.metric("queries", (subject.statements() - before) / seconds);
            recorder.metric("CPU", (ProcessorTime.nanos() - cpu) / 1e6 / seconds);
            recorder.end();
        }
    }
}
