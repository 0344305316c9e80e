// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.check.CheckSettings.Window;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether something grew: its median in the last quarter of a run is compared with that in the second, since in the
 * first applications and servers warm up.
 *
 * @param second the median of the second quarter; null if nothing was measured in it
 * @param last that of the last quarter
 */
record Trend(Metric metric, @Nullable Long second, @Nullable Long last) {

    static Trend of(Metric metric, List<Sample> samples, Window time) {
        long quarter = (time.to() - time.from()) / 4;
        return new Trend(
                metric,
                median(metric, samples, time.from() + quarter, time.from() + 2 * quarter),
                median(metric, samples, time.to() - quarter, time.to() + 1));
    }

    private static @Nullable Long median(Metric metric, List<Sample> samples, long from, long before) {
        List<Long> values = samples.stream()
                .filter(sample -> sample.micros() >= from && sample.micros() < before)
                .map(metric::of)
                .filter(Objects::nonNull)
                .sorted()
                .toList();
        return values.isEmpty() ? null : values.get(values.size() / 2);
    }

    /** What is wrong; null if it is flat. What was not measured is not flat. */
    @Nullable
    String problem() {
        if (second == null || last == null) {
            return metric.text() + ": not measured in the " + (second == null ? "second" : "last") + " quarter";
        }
        return last <= metric.limit(second)
                ? null
                : metric.text() + " grew from " + metric.show(second) + " in the second quarter to " + metric.show(last)
                        + " in the last, more than by " + metric.allowance();
    }
}
