// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * W8: a flood that one, two and four processes drain together from one, four and eight shards: the rate, and how often
 * a process scans a shard in vain because another process was faster. Each process is a JVM that handles tasks; this
 * JVM only schedules.
 */
final class ProcessesWorkload implements Workload {

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        boolean isSharded = setting.subject().equals(Subjects.DELAYQUEUE);
        for (int shards : isSharded ? new int[] {1, 4, 8} : new int[] {1}) {
            for (int processes : new int[] {1, 2, 4}) {
                String name = ", " + processes + " processes, " + shards + " shards";
                drain(name, processes, shards, setting, recorder);
            }
        }
    }

    private static void drain(String name, int processes, int shards, Setting setting, Recorder recorder)
            throws InterruptedException {
        String keys = "dq-" + processes + "-" + shards;
        List<WorkerProcess> workers = new ArrayList<>();
        try (Subject subject =
                Subjects.open(setting.subject(), setting.place(), Need.toKeep().sharded(shards, keys))) {
            for (int i = 0; i < processes; i++) {
                workers.add(new WorkerProcess(setting.subject(), setting.place(), shards, keys));
            }
            workers.forEach(WorkerProcess::awaitReady);
            int count = setting.size(200_000, 50_000);
            ProcessesFlood flood = new ProcessesFlood(name, subject, workers, recorder);
            flood.warmUp(count, Duration.ofSeconds(setting.size(60, 20)));
            WorkerReport report = flood.drain(count);
            if (setting.subject().equals(Subjects.DELAYQUEUE)) {
                recorder.metric("empty acquires a task" + name, report.empty() / (double) count);
            }
        } finally {
            workers.forEach(WorkerProcess::close);
        }
    }
}
