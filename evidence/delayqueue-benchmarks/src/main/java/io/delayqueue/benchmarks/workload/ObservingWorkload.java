// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.util.Locale;

/** W16 and W17: the floods of W2a, made in turns by applications with different amounts of observation, or limits. */
final class ObservingWorkload implements Workload {

    private static final int FLOODS = 11;
    private static final int LEAST_LOOKS = 4;
    private static final int MOST_LOOKS = 30;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        Arrivals arrivals = new Arrivals();
        int count = setting.size(50_000, 30_000);
        String name = String.format(Locale.ROOT, "%,d due at once", count);
        FloodMedians medians = new FloodMedians(name, count, true, recorder);
        try (Turns turns = Turns.open();
                Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toHandle(1, arrivals))) {
            Flood flood = new Flood(subject, arrivals, new Load(subject));
            warmUp(flood, turns, recorder);
            turns.awaitAll();
            for (int i = 0; i < FLOODS; i++) {
                turns.take(() -> medians.add(flood));
            }
        }
        medians.record();
        if (arrivals.strays() > 0) {
            recorder.problem(arrivals.strays() + " arrivals that were not expected");
        }
    }

    private static void warmUp(Flood flood, Turns turns, Recorder recorder) throws InterruptedException {
        boolean[] isCompiling = {true};
        for (int i = 0; i < LEAST_LOOKS || i < MOST_LOOKS && isCompiling[0]; i++) {
            turns.take(() -> isCompiling[0] = flood.warmUpMore(recorder));
        }
    }
}
