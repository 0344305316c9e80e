// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.Locale;
import java.util.function.ObjDoubleConsumer;

/**
 * W7: rates with growing numbers of pending tasks: scheduling and cancelling by one thread, and draining a flood that
 * is due before the pending tasks.
 */
final class GrowthWorkload implements Workload {

    private static final int DRAINED = 50_000;

    /** The number of turns on each level; the median counts. */
    private static final int TURNS = 3;

    private static final int MOST_WARM_UPS = 10;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        Arrivals arrivals = new Arrivals();
        long dueAt = System.currentTimeMillis() + Duration.ofHours(5).toMillis();
        Duration time = Duration.ofMillis(setting.size(2000, 1000));
        Medians medians = new Medians();
        try (Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toHandle(1, arrivals))) {
            Load load = new Load(subject);
            Flood flood = new Flood(subject, arrivals, load);
            flood.warmUpUntilCompiled(
                    Duration.ofSeconds(setting.size(20, 6)), Duration.ofSeconds(setting.size(180, 6)), recorder);
            warmUp(subject, load, time, dueAt);
            int pending = 0;
            for (int level :
                    setting.quick() ? new int[] {10_000, 200_000} : new int[] {10_000, 1_000_000, 10_000_000}) {
                load.inBatches(level - pending, dueAt);
                pending = level;
                String name = String.format(Locale.ROOT, "%,d pending", level);
                for (int turn = 0; turn < TURNS; turn++) {
                    scheduleAndCancel(subject, load, time, dueAt, (what, rate) -> medians.add(what + name, rate));
                    medians.add("drain, " + name, flood.drain("drain, " + name, DRAINED, recorder));
                }
                recorder.count(name, pending, subject.pending());
            }
            medians.record(recorder);
        }
        if (arrivals.strays() > 0) {
            recorder.problem(arrivals.strays() + " arrivals that were not expected");
        }
    }

    /** Warms up until the code is compiled, because the lowest level is measured first. */
    private static void warmUp(Subject subject, Load load, Duration time, long dueAt) throws InterruptedException {
        boolean isCompiling = true;
        for (int i = 0; i < MOST_WARM_UPS && isCompiling; i++) {
            Effort before = Effort.now();
            scheduleAndCancel(subject, load, time, dueAt, (what, rate) -> {});
            isCompiling = Effort.now().since(before).isCompiling();
        }
    }

    private static void scheduleAndCancel(
            Subject subject, Load load, Duration time, long dueAt, ObjDoubleConsumer<String> rates)
            throws InterruptedException {
        long first = load.next();
        rates.accept("schedule, ", load.singly(1, time, dueAt));
        int count = (int) (load.next() - first);
        Cancelling cancelling = new Cancelling(subject, first, count, dueAt);
        rates.accept("cancel, ", cancelling.run(time, count));
        cancelling.run(Duration.ofMinutes(5), count);
    }
}
