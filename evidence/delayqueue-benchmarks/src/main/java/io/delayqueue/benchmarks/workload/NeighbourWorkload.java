// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.RedisGauge.SlowCall;
import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * W10: floods beside another queue of the process with 50 tasks per second. Measures how fast the floods drain, how
 * long scripts block Redis, how much heap is used, and how late the tasks of the other queue are during the floods.
 */
final class NeighbourWorkload implements Workload {

    private static final double MIB = 1024 * 1024;

    /**
     * Size of the flood with which larger floods are compared. It takes only a second, so there are several, and the
     * median counts.
     */
    private static final int BASE = 50_000;

    private static final int BASE_FLOODS = 3;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        Arrivals arrivals = new Arrivals();
        Medians medians = new Medians();
        SteadyTasks others = new SteadyTasks(1, 50);
        Need need = Need.toHandle(2, payload -> {
            if (!others.arrived(payload)) {
                arrivals.arrived(payload);
            }
        });
        try (Subject subject = Subjects.open(setting.subject(), setting.place(), need)) {
            Flood flood = new Flood(subject, arrivals, new Load(subject));
            others.start(subject); // All of them start before stored tasks are counted.
            flood.warmUpUntilCompiled(
                    Duration.ofSeconds(setting.size(20, 6)), Duration.ofSeconds(setting.size(180, 6)), recorder);
            Map<String, List<SteadyTasks.Window>> windows = new LinkedHashMap<>();
            for (int count : setting.quick() ? new int[] {BASE, 200_000} : new int[] {BASE, 1_000_000}) {
                String name = String.format(Locale.ROOT, "%,d beside another queue", count);
                List<SteadyTasks.Window> times = new ArrayList<>();
                for (int i = 0; i < (count == BASE ? BASE_FLOODS : 1); i++) {
                    times.add(drain(name, count, flood, recorder, medians));
                }
                windows.put(name, times);
            }
            medians.record(recorder);
            others.stop(recorder);
            // By now, all tasks that were due in these periods have arrived, including the latest ones.
            windows.forEach((name, times) -> lateness(name, others.latenessMillis(times), recorder));
        }
        if (arrivals.strays() > 0) {
            recorder.problem(arrivals.strays() + " arrivals that were not expected");
        }
    }

    /** Returns the period of the drain. */
    private static SteadyTasks.Window drain(String name, int count, Flood flood, Recorder recorder, Medians medians)
            throws InterruptedException {
        recorder.redis().noteSlowCalls();
        HeapGauge heap = new HeapGauge();
        long[] dueAt = new long[1];
        long[] before = new long[1];
        // By then, the benchmark's own records of the flood exist.
        Runnable whenStored = () -> before[0] = heap.collected();
        double rate = flood.drain(name, count, recorder, whenStored, () -> {
            dueAt[0] = System.currentTimeMillis();
            heap.watch();
        });
        SteadyTasks.Window window = new SteadyTasks.Window(dueAt[0], System.currentTimeMillis());
        medians.add(name + ": rate", rate);
        medians.add(name + ": heap, before", before[0] / MIB);
        medians.add(name + ": heap, most", Math.max(before[0], heap.most()) / MIB);
        medians.add(name + ": heap, after", heap.collected() / MIB);
        List<SlowCall> calls = recorder.redis().slowCalls();
        List<SlowCall> tooLong =
                calls.stream().filter(call -> call.micros() > 10_000).toList();
        // Single commands are included. They cannot take long, so slow ones show how often the server got no processor.
        tooLong.forEach(call -> System.out.println(name + ": too long: " + call));
        medians.add(
                name + ": longest script",
                calls.stream()
                                .filter(SlowCall::isScript)
                                .mapToLong(SlowCall::micros)
                                .max()
                                .orElse(0)
                        / 1000.0);
        medians.add(
                name + ": scripts over 10 ms",
                tooLong.stream().filter(SlowCall::isScript).count());
        return window;
    }

    private static void lateness(String name, double[] sorted, Recorder recorder) {
        recorder.metric(name + ": other queue's p50", share(sorted, 0.5));
        recorder.metric(name + ": other queue's p99", share(sorted, 0.99));
        recorder.metric(name + ": other queue's max", share(sorted, 1));
    }

    private static double share(double[] sorted, double share) {
        return (sorted.length == 0) ? Double.NaN : sorted[(int) Math.ceil(share * sorted.length) - 1];
    }
}
