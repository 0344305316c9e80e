// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;

/** W1: how many tasks can be scheduled a second, by one thread, by eight, and in batches. Due in an hour. */
final class ScheduleWorkload implements Workload {

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        Duration time = Duration.ofMillis(setting.size(5000, 2000));
        Duration warmUp = Duration.ofMillis(setting.size(4000, 1500));
        long dueAt = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        try (Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toKeep())) {
            Load load = new Load(subject);
            load.singly(1, warmUp, dueAt);
            load.singly(8, warmUp, dueAt);
            load.inBatches(warmUp, dueAt);
            recorder.begin();
            recorder.metric("1 thread", load.singly(1, time, dueAt));
            recorder.metric("8 threads", load.singly(8, time, dueAt));
            recorder.metric("batches of 500", load.inBatches(time, dueAt));
            recorder.end();
            recorder.count("stored", load.scheduled(), subject.pending());
        }
    }
}
