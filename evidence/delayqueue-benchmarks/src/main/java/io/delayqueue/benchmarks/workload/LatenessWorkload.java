// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.OwnProcess;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.subject.Task;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * W3 and W9: a steady rate of tasks, each due after 1 to 4 s, spread over the queues of one process, to handlers: their
 * lateness, and the number of threads in the JVM.
 */
record LatenessWorkload(int queues, int perSecond, int seconds, int reducedSeconds) implements Workload {

    /**
     * The warm-up sends the tasks of this time within a tenth of it, because a real service has been running for a
     * while.
     */
    private static final int WARM_UP_SECONDS = 20;

    /** Rqueue's defaults deliver 20 tasks a second. */
    private static final int PER_SECOND_OF_RQUEUE = 10;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        boolean slow = setting.subject().equals(Subjects.RQUEUE);
        int perSecond = slow ? PER_SECOND_OF_RQUEUE : this.perSecond;
        String suffix = slow ? ", " + PER_SECOND_OF_RQUEUE + " a second" : "";
        int count = perSecond * setting.size(seconds, reducedSeconds);
        Arrivals arrivals = new Arrivals();
        try (Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toHandle(queues, arrivals))) {
            int warmUps = perSecond * WARM_UP_SECONDS;
            Stage warmUp = arrivals.expect(0, warmUps);
            schedule(subject, 0, warmUps, 10 * perSecond);
            warmUp.await(Duration.ofSeconds(15), Duration.ofSeconds(30));
            if (warmUp.arrived() < warmUps) {
                recorder.problem("warm-up: " + warmUp.arrived() + " of " + warmUps + " tasks");
            }
            Stage stage = arrivals.expect(warmUps, count);
            ManagementFactory.getThreadMXBean().resetPeakThreadCount();
            recorder.begin();
            Pace pace = schedule(subject, warmUps, count, perSecond);
            stage.await(Duration.ofSeconds(10), Duration.ofSeconds(30));
            recorder.end();
            recorder.count("handled", count, stage.arrived());
            if (stage.duplicates() + arrivals.strays() > 0) {
                recorder.problem(stage.duplicates() + " came twice, " + arrivals.strays() + " were not expected");
            }
            if (stage.arrived() > 0) {
                recorder.metric("p50" + suffix, stage.latenessMillis(0.5));
                recorder.metric("p99" + suffix, stage.latenessMillis(0.99));
                recorder.metric("max" + suffix, stage.latenessMillis(1));
            }
            recorder.metric("early" + suffix, stage.early());
            pace.record("sent a second" + suffix, recorder);
            if (!(subject instanceof OwnProcess)) {
                recorder.metric(
                        "threads" + suffix, ManagementFactory.getThreadMXBean().getPeakThreadCount());
            }
        }
    }

    /**
     * Schedules tasks whose due times depend on the planned time of each call, so that a late call does not delay its
     * due time.
     */
    private Pace schedule(Subject subject, long first, int count, int perSecond) throws InterruptedException {
        Pace pace = new Pace(perSecond, (index, planned) -> {
            SplittableRandom random = new SplittableRandom(first + index);
            long dueAt = planned + random.nextLong(1000, 4000);
            subject.schedule(Task.of(random.nextInt(queues), first + index, dueAt));
        });
        pace.run(count);
        return pace;
    }
}
