// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;

/**
 * W1: how many tasks can be scheduled per second by one thread, by eight, and in batches. The tasks are due in an hour.
 * The subjects take turns, because the speed of sequential calls depends on how fast the machine wakes a thread, which
 * varies from minute to minute.
 */
final class ScheduleWorkload implements Workload {

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        Duration warmUp = Duration.ofMillis(setting.size(4000, 1500));
        Duration time = Duration.ofMillis(setting.size(1000, 700));
        long dueAt = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        Medians medians = new Medians();
        try (Turns turns = Turns.open();
                Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toKeep())) {
            Load load = new Load(subject);
            turns.take(() -> {
                load.singly(1, warmUp, dueAt);
                load.singly(8, warmUp, dueAt);
                load.inBatches(warmUp, dueAt);
            });
            turns.awaitAll();
            recorder.begin();
            for (int i = 0; i < setting.size(7, 3); i++) {
                turns.take(() -> {
                    medians.add("1 thread", load.singly(1, time, dueAt));
                    medians.add("8 threads", load.singly(8, time, dueAt));
                    medians.add("batches of 500", load.inBatches(time, dueAt));
                });
            }
            recorder.end();
            recorder.count("stored", load.scheduled(), subject.pending());
        }
        medians.record(recorder);
    }
}
