// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.CommandCount;
import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.OwnProcess;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Duration;
import java.util.Map;

/**
 * W4: the cost of an idle subject, with one queue and with twenty, empty and with tasks due in an hour: commands that
 * Redis runs, including those in scripts, and processor time of this JVM or of the subject's process.
 */
final class IdleWorkload implements Workload {

    private static final int PENDING = 100;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        for (int queues : new int[] {1, 20}) {
            String name = queues + (queues == 1 ? " queue" : " queues");
            try (Subject subject =
                    Subjects.open(setting.subject(), setting.place(), Need.toHandle(queues, payload -> {}))) {
                if (!setting.quick()) {
                    idle(name + ", empty", subject, setting, recorder);
                }
                long dueAt = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
                for (int queue = 0; queue < queues; queue++) {
                    for (int i = 0; i < PENDING; i++) {
                        subject.schedule(Task.of(queue, queues * 1000L + queue * PENDING + i, dueAt));
                    }
                }
                idle(name, subject, setting, recorder);
            }
        }
    }

    private static void idle(String name, Subject subject, Setting setting, Recorder recorder)
            throws InterruptedException {
        Thread.sleep(setting.size(10_000, 7_000));
        recorder.begin();
        Map<String, CommandCount> before = recorder.redis().commands();
        long cpu = cpuNanos(subject);
        long began = System.nanoTime();
        Thread.sleep(setting.size(30_000, 20_000));
        double seconds = (System.nanoTime() - began) / 1e9;
        cpu = cpuNanos(subject) - cpu;
        long calls = CommandCount.between(before, recorder.redis().commands()).values().stream()
                .mapToLong(CommandCount::calls)
                .sum();
        recorder.end();
        recorder.metric(name + ": commands", calls / seconds);
        recorder.metric(name + ": CPU", cpu / 1e6 / seconds);
    }

    private static long cpuNanos(Subject subject) {
        return (subject instanceof OwnProcess process) ? process.cpuNanos() : ProcessorTime.nanos();
    }
}
