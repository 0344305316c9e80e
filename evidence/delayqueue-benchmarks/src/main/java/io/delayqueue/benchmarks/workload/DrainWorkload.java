// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.OwnProcess;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.Locale;

/** W2a and W2b: tasks due at once, to handlers, in several floods. */
final class DrainWorkload implements Workload {

    private static final int FLOODS = 7;

    /** When floods have taken this long in total, no further flood starts. */
    private static final double ENOUGH_SECONDS = 8;

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
            // Rqueue's defaults are limited by its pauses, and its code would never be fully compiled.
            boolean isUntilCompiled =
                    !(subject instanceof OwnProcess) && !setting.subject().equals(Subjects.RQUEUE);
            if (setting.quick() || !isUntilCompiled) {
                flood.warmUp(Duration.ofSeconds(setting.size(20, 4)), recorder);
            } else {
                flood.warmUpUntilCompiled(Duration.ofSeconds(20), Duration.ofSeconds(180), recorder);
            }
            for (int count : counts(setting)) {
                String name = String.format(Locale.ROOT, "%,d due at once", count);
                // The cost of a process that is not a JVM, and of a database, is unknown.
                boolean known =
                        !(subject instanceof OwnProcess) && setting.place().database() == null;
                FloodMedians medians = new FloodMedians(name, count, known, recorder);
                Medians fromDue = new Medians();
                double seconds = 0;
                for (int i = 0; i < FLOODS && seconds < ENOUGH_SECONDS; i++) {
                    seconds += medians.add(flood);
                    fromDue.add(name + ", from due to the last", flood.fromDue());
                }
                medians.record();
                fromDue.record(recorder);
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
