// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;

/** W6: how many of 100,000 pending tasks one thread can cancel per second, in random order. */
final class CancelWorkload implements Workload {

    private static final int PENDING = 100_000;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        long dueAt = System.currentTimeMillis() + Duration.ofHours(1).toMillis();
        try (Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toKeep())) {
            Load load = new Load(subject);
            load.inBatches(PENDING, dueAt);
            Cancelling cancelling = new Cancelling(subject, 0, PENDING, dueAt);
            cancelling.run(Duration.ofMillis(setting.size(3000, 1500)), 25_000);
            recorder.begin();
            double rate = cancelling.run(Duration.ofMillis(setting.size(5000, 3000)), 60_000);
            recorder.end();
            recorder.metric("100,000 pending", rate);
            recorder.count("left", PENDING - cancelling.cancelled(), subject.pending());
        }
    }
}
