// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** W3: 500 tasks a second, due 1 to 4 s later each, to handlers: by how much they come late. */
final class LatenessWorkload implements Workload {

    private static final int PER_SECOND = 500;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        int count = PER_SECOND * setting.size(30, 12);
        Arrivals arrivals = new Arrivals();
        try (Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toHandle(1, arrivals))) {
            Stage warmUp = arrivals.expect(0, PER_SECOND * 3);
            schedule(subject, 0, PER_SECOND * 3);
            warmUp.await(Duration.ofSeconds(15), Duration.ofSeconds(30));
            Stage stage = arrivals.expect(PER_SECOND * 3, count);
            recorder.begin();
            schedule(subject, PER_SECOND * 3, count);
            stage.await(Duration.ofSeconds(10), Duration.ofSeconds(30));
            recorder.end();
            recorder.count("handled", count, stage.arrived());
            if (stage.duplicates() > 0) {
                recorder.problem(stage.duplicates() + " came twice");
            }
            recorder.metric("p50", stage.latenessMillis(0.5));
            recorder.metric("p99", stage.latenessMillis(0.99));
            recorder.metric("max", stage.latenessMillis(1));
            recorder.metric("early", stage.early());
        }
    }

    private static void schedule(Subject subject, long first, int count) {
        SplittableRandom random = new SplittableRandom(first);
        long began = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long wait = began + i * (1_000_000_000L / PER_SECOND) - System.nanoTime();
            if (wait > 0) {
                LockSupport.parkNanos(wait);
            }
            subject.schedule(Task.of(0, first + i, System.currentTimeMillis() + random.nextLong(1000, 4000)));
        }
    }
}
