// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.Locale;

/** W2a and W2b: tasks due at once, to handlers. */
final class DrainWorkload implements Workload {

    /** Rqueue's defaults deliver 20 tasks a second. */
    private static final int[] OF_RQUEUE = {500};

    private final int[] full;
    private final int[] reduced;

    DrainWorkload(int[] full, int[] reduced) {
        this.full = full;
        this.reduced = reduced;
    }

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        Arrivals arrivals = new Arrivals();
        try (Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toHandle(1, arrivals))) {
            Flood flood = new Flood(subject, arrivals, new Load(subject));
            flood.warmUp(Duration.ofMillis(setting.size(20_000, 4000)), recorder);
            for (int count : counts(setting)) {
                String name = String.format(Locale.ROOT, "%,d due at once", count);
                recorder.metric(name, flood.drain(name, count, recorder));
            }
        }
        if (arrivals.strays() > 0) {
            recorder.problem(arrivals.strays() + " arrivals that were not expected");
        }
    }

    private int[] counts(Setting setting) {
        if (setting.subject().equals(Subjects.RQUEUE)) {
            return OF_RQUEUE;
        }
        return setting.quick() ? reduced : full;
    }
}
