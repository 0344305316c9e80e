// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Duration;

/**
 * W5: bytes of Redis memory for a pending task, by {@code used_memory_dataset}, and by {@code used_memory}, which
 * includes the server's dictionary of keys and grows only with subjects that have keys for each task.
 */
final class MemoryWorkload implements Workload {

    private static final int TASKS = 100_000;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        long dueAt = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        try (Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toKeep())) {
            Load load = new Load(subject);
            subject.schedule(Task.of(0, 999_999_999, dueAt));
            Thread.sleep(500);
            recorder.begin();
            long dataset = recorder.redis().datasetBytes();
            long used = recorder.redis().usedBytes();
            load.inBatches(TASKS, dueAt);
            Thread.sleep(500);
            dataset = recorder.redis().datasetBytes() - dataset;
            used = recorder.redis().usedBytes() - used;
            recorder.end();
            recorder.metric("bytes a task", dataset / (double) TASKS);
            recorder.metric("bytes a task, with the dictionary of keys", used / (double) TASKS);
            recorder.count("stored", TASKS + 1, subject.pending());
        }
    }
}
