// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * W8: a flood that one, two and four processes drain together from one, four and eight shards: how fast, and how often a process
 * asks a shard in vain because another one was there before. Each process is a JVM that handles; this one only schedules.
 */
final class ProcessesWorkload implements Workload {

    /** For each process: one that has compiled little yet is no measure of many. */
    private static final int WARM_UP = 100_000;

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
            Load load = new Load(subject);
            load.inBatches(WARM_UP * processes, System.currentTimeMillis());
            awaitNonePending(subject, Duration.ofSeconds(60));
            int count = setting.size(200_000, 50_000);
            long first = load.next();
            workers.forEach(worker -> worker.begin(first, count));
            long dueAt = System.currentTimeMillis() + setting.size(20_000, 8_000);
            load.inBatches(count, dueAt);
            long early = dueAt - System.currentTimeMillis();
            if (early < 0) {
                recorder.problem(name + ": scheduling took longer than until the tasks were due");
            } else {
                Thread.sleep(early);
            }
            recorder.begin();
            long redisCpu = recorder.redis().cpuMicros();
            awaitNonePending(subject, Duration.ofSeconds(60));
            redisCpu = recorder.redis().cpuMicros() - redisCpu;
            recorder.end();
            WorkerReport sum =
                    workers.stream().map(WorkerProcess::report).reduce(WorkerReport.NONE, WorkerReport::plus);
            recorder.metric("rate" + name, sum.rate());
            Map<String, Long> servers = setting.place().cluster() ? Map.of() : Map.of("Redis", redisCpu);
            new Cost(sum.effort(), servers)
                    .metrics(count, sum.micros())
                    .forEach((what, value) -> recorder.metric(what + name, value));
            if (setting.subject().equals(Subjects.DELAYQUEUE)) {
                recorder.metric("empty acquires a task" + name, sum.empty() / (double) count);
            }
            recorder.count("handled" + name, count, sum.arrived());
            recorder.count("done" + name, 0, subject.pending());
        } finally {
            workers.forEach(WorkerProcess::close);
        }
    }

    private static void awaitNonePending(Subject subject, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (subject.pending() > 0 && System.nanoTime() < end) {
            Thread.sleep(100);
        }
    }
}
