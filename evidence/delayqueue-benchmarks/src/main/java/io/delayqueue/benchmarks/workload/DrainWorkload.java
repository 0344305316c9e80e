// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.OwnProcess;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * W2a and W2b: tasks due at once, to handlers. A flood of a second says as much of what else the machine did in that second
 * as of the subject, so there are several, and the median of each value counts.
 */
final class DrainWorkload implements Workload {

    private static final int FLOODS = 7;

    /** No further flood begins when those before took so long together. */
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
            if (setting.quick() || subject instanceof OwnProcess) {
                flood.warmUp(Duration.ofSeconds(setting.size(20, 4)), recorder);
            } else {
                flood.warmUpUntilCompiled(Duration.ofSeconds(20), Duration.ofSeconds(180), recorder);
            }
            for (int count : counts(setting)) {
                String name = String.format(Locale.ROOT, "%,d due at once", count);
                // of a process that is not a JVM, and of a database, it is not known what they cost
                boolean known =
                        !(subject instanceof OwnProcess) && setting.place().database() == null;
                drain(name, count, flood, known, recorder)
                        .forEach((what, values) -> recorder.metric(what, median(values)));
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

    /** Answers what was measured, by the name of the metric. */
    private static Map<String, List<Double>> drain(
            String name, int count, Flood flood, boolean costIsKnown, Recorder recorder) throws InterruptedException {
        Map<String, List<Double>> values = new LinkedHashMap<>();
        double seconds = 0;
        for (int i = 0; i < FLOODS && seconds < ENOUGH_SECONDS; i++) {
            Cost[] before = new Cost[1];
            double rate = flood.drain(name, count, recorder, () -> {}, () -> before[0] = cost(recorder));
            Cost spent = cost(recorder).since(before[0]);
            add(values, name, rate);
            if (costIsKnown) {
                spent.metrics(count, (long) (count * 1e6 / rate))
                        .forEach((what, value) -> add(values, what + ", " + name, value));
            }
            seconds += count / rate;
        }
        return values;
    }

    private static void add(Map<String, List<Double>> values, String what, double value) {
        values.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
        System.out.println(what + ", a flood: " + value);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    private static Cost cost(Recorder recorder) {
        return new Cost(Effort.now(), Map.of("Redis", recorder.redis().cpuMicros()));
    }
}
