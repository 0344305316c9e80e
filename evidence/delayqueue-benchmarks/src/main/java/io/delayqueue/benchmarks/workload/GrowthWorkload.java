// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.Locale;

/**
 * W7: rates with ever more tasks pending: scheduling and cancelling by one thread, and draining a flood past what is
 * pending.
 */
final class GrowthWorkload implements Workload {

    private static final int DRAINED = 50_000;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        Arrivals arrivals = new Arrivals();
        long dueAt = System.currentTimeMillis() + Duration.ofHours(5).toMillis();
        Duration time = Duration.ofMillis(setting.size(4000, 2000));
        try (Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toHandle(1, arrivals))) {
            Load load = new Load(subject);
            Flood flood = new Flood(subject, arrivals, load);
            flood.warmUp(Duration.ofSeconds(6), recorder);
            scheduleAndCancel(subject, load, time, dueAt, "warm-up", null);
            int pending = 0;
            for (int level :
                    setting.quick() ? new int[] {10_000, 200_000} : new int[] {10_000, 1_000_000, 10_000_000}) {
                load.inBatches(level - pending, dueAt);
                pending = level;
                String name = String.format(Locale.ROOT, "%,d pending", level);
                scheduleAndCancel(subject, load, time, dueAt, name, recorder);
                recorder.metric("drain, " + name, flood.drain("drain, " + name, DRAINED, recorder));
                recorder.count(name, pending, subject.pending());
            }
        }
    }

    private static void scheduleAndCancel(
            Subject subject,
            Load load,
            Duration time,
            long dueAt,
            String name,
            @org.jspecify.annotations.Nullable Recorder recorder)
            throws InterruptedException {
        long first = load.next();
        double scheduled = load.singly(1, time, dueAt);
        int count = (int) (load.next() - first);
        Cancelling cancelling = new Cancelling(subject, first, count, dueAt);
        double cancelled = cancelling.run(time, count);
        cancelling.run(Duration.ofMinutes(5), count);
        if (recorder != null) {
            recorder.metric("schedule, " + name, scheduled);
            recorder.metric("cancel, " + name, cancelled);
        }
    }
}
