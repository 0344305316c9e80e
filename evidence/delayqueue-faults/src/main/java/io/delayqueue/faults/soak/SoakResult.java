// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.check.CheckSettings.Window;
import io.delayqueue.faults.check.LatenessOverTime;
import io.delayqueue.faults.history.Histories;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run, or of one that was broken off.
 *
 * @param facts what the run is
 * @param time of its quarters, which begin when all is warm
 * @param samples in their order
 * @param faults in their order
 * @param judgement of the checker; null if it did not come to that
 * @param slice how long one of {@code slices} is
 * @param slices how late first attempts were
 * @param minutes the same, minute by minute
 */
record SoakResult(
        RunFacts facts,
        Window time,
        List<Sample> samples,
        List<Disturbance> faults,
        @Nullable Judgement judgement,
        Duration slice,
        List<LatenessOverTime.Slice> slices,
        List<LatenessOverTime.Slice> minutes) {

    /** How late all but a hundredth of the attempts may be that nothing disturbs. */
    static final Duration P99 = Duration.ofMillis(250);

    private static final long MINUTE = micros(Duration.ofMinutes(1));

    /**
     * Reads what a run left.
     *
     * @throws IllegalStateException if there was none
     */
    static SoakResult of(SoakRecord record, Path histories) {
        RunFacts facts = record.facts();
        List<Sample> samples = record.samples();
        if (facts == null || samples.isEmpty()) {
            throw new IllegalStateException("There is no run");
        }
        List<Disturbance> faults = record.faults();
        long end = Math.min(
                facts.from() + facts.seconds() * 1_000_000,
                samples.get(samples.size() - 1).micros());
        Window time = new Window(facts.from(), end);
        List<Window> disturbed = faults.stream().map(Disturbance::window).toList();
        Duration slice = SoakOptions.slice(Duration.ofSeconds(facts.seconds()));
        LatenessOverTime bySlice = new LatenessOverTime(time, micros(slice), disturbed);
        LatenessOverTime byMinute = new LatenessOverTime(time, MINUTE, disturbed);
        Histories.each(histories, entry -> {
            bySlice.add(entry);
            byMinute.add(entry);
        });
        return new SoakResult(
                facts, time, samples, faults, record.judgement(), slice, bySlice.slices(), byMinute.slices());
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }

    /** Each of what must not grow. */
    List<Trend> trends() {
        return Arrays.stream(Metric.values())
                .map(metric -> Trend.of(metric, samples, time))
                .toList();
    }

    /** All that is wrong; nothing if the run is as it has to be. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (judgement == null) {
            problems.add("the run was broken off after " + minutesOf(time.to()) + " minutes, and nobody judged whether"
                    + " tasks were lost");
        } else {
            judgement.broken().forEach(rule -> problems.add("the checker found " + rule));
        }
        for (Trend trend : trends()) {
            String problem = trend.problem();
            if (problem != null) {
                problems.add(problem);
            }
        }
        for (int i = 0; i < slices.size(); i++) {
            String part = "slice " + (i + 1) + " of " + slice.toMinutes() + " minutes";
            LatenessOverTime.Slice one = slices.get(i);
            if (one.calm().count() == 0) {
                problems.add(part + ": no attempt outside of faults");
            } else if (one.calm().p99().compareTo(P99) > 0) {
                problems.add(part + ": p99 of " + one.calm().p99().toMillis() + " ms outside of faults, more than "
                        + P99.toMillis() + " ms");
            }
        }
        faults.stream()
                .filter(fault -> fault.to() == null)
                .forEach(fault -> problems.add(fault.name() + " did not come to its end"));
        return problems;
    }

    /** How many minutes of the run had passed. */
    long minutesOf(long micros) {
        return Math.floorDiv(micros - time.from(), MINUTE);
    }
}
