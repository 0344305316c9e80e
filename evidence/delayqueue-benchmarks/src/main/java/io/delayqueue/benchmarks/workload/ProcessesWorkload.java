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
 * W8: a flood that one, two and four processes drain together from one, four and eight shards: how fast, and how often
 * a process asks a shard in vain because another one was there before. Each process is a JVM that handles; this one
 * only schedules.
 */
final class ProcessesWorkload implements Workload {

    /** Floods before the one that is measured end when the compilers take a smaller share of the processes' time. */
    private static final double COMPILING = 0.25;

    private static final int MOST_WARM_UPS = 5;

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
            int count = setting.size(200_000, 50_000);
            warmUp(subject, load, workers, count);
            long first = load.next();
            workers.forEach(worker -> worker.begin(first, count));
            long dueAt = System.currentTimeMillis() + setting.size(10_000, 5_000);
            load.inBatches(count, dueAt);
            long early = dueAt - System.currentTimeMillis();
            if (early < 0) {
                recorder.problem(name + ": scheduling took longer than until the tasks were due");
            } else {
                Thread.sleep(early);
            }
            recorder.begin();
            long redisCpu = recorder.redis().cpuMicros();
            awaitNonePending(subject);
            redisCpu = recorder.redis().cpuMicros() - redisCpu;
            recorder.end();
            WorkerReport sum = together(workers);
            recorder.metric("rate" + name, sum.rate());
            new Cost(sum.effort(), Map.of("Redis", redisCpu))
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

    /** Processes that have compiled little yet are no measure of many that run for days. */
    private static void warmUp(Subject subject, Load load, List<WorkerProcess> workers, int count)
            throws InterruptedException {
        WorkerReport last;
        int floods = 0;
        do {
            long first = load.next();
            workers.forEach(worker -> worker.begin(first, count));
            load.inBatches(count, System.currentTimeMillis() + 2000);
            awaitNonePending(subject);
            last = together(workers);
        } while (++floods < MOST_WARM_UPS && last.compiledMicros() > COMPILING * last.cpuMicros());
    }

    private static WorkerReport together(List<WorkerProcess> workers) {
        return workers.stream().map(WorkerProcess::report).reduce(WorkerReport.NONE, WorkerReport::plus);
    }

    private static void awaitNonePending(Subject subject) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (subject.pending() > 0 && System.nanoTime() < end) {
            Thread.sleep(100);
        }
    }
}
