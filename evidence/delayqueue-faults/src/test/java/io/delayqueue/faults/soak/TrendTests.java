// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.check.CheckSettings.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TrendTests {

    private static final Window TIME = new Window(1000, 1400);
    private static final long MIB = 1 << 20;

    @Test
    void problemWhenNothingGrowsIsNone() {
        for (Metric metric : Metric.values()) {
            Trend trend = Trend.of(metric, samples(time -> 40), TIME);
            assertThat(trend.problem()).isNull();
            assertThat(trend.second()).isEqualTo(40);
            assertThat(trend.last()).isEqualTo(40);
        }
    }

    @Test
    void problemWhenOnlyTheFirstQuarterIsLowerIsNone() {
        assertThat(Trend.of(Metric.HEAP, samples(time -> time < 1100 ? 1 : 400 * MIB), TIME)
                        .problem())
                .isNull();
    }

    /** Enough for a thing of some bytes that each task leaves. */
    @Test
    void problemWhenTheHeapGrowsAllTheTimeNamesBothQuarters() {
        assertThat(Trend.of(Metric.HEAP, samples(time -> (time - 1000) * MIB / 20 + 20 * MIB), TIME)
                        .problem())
                .contains("27.5 MiB", "37.5 MiB", "10% and 2.0 MiB");
    }

    @Test
    void problemWhenThreadsGrowByMoreThanAFewNamesThem() {
        assertThat(Trend.of(Metric.THREADS, samples(time -> time < 1300 ? 60 : 66), TIME)
                        .problem())
                .isNull();
        assertThat(Trend.of(Metric.THREADS, samples(time -> time < 1300 ? 60 : 67), TIME)
                        .problem())
                .contains("threads", "60", "67");
    }

    @Test
    void problemWhenAFaultIsSeenInAFewSamplesIsNone() {
        assertThat(Trend.of(Metric.TASKS, samples(time -> time % 100 < 20 ? 90_000 : 2000), TIME)
                        .problem())
                .isNull();
    }

    @Test
    void problemWhenNothingWasMeasuredInTheEndSaysSo() {
        List<Sample> samples = samples(time -> 40).stream()
                .map(sample -> sample.micros() < 1300 ? sample : new Sample(sample.micros(), List.of(), null, null))
                .toList();
        for (Metric metric : Metric.values()) {
            assertThat(Trend.of(metric, samples, TIME).problem()).contains("not measured in the last quarter");
        }
    }

    /** Another one has another heap. */
    @Test
    void ofWhenTheSecondApplicationGrowsTellsOfTheFirst() {
        List<Sample> samples = new ArrayList<>();
        for (long time = TIME.from(); time <= TIME.to(); time += 10) {
            samples.add(new Sample(
                    time,
                    List.of(
                            new Sample.OfProcess(1, 8, time * MIB, time, time, time),
                            new Sample.OfProcess(0, 7, MIB, 1, 1, 1)),
                    null,
                    null));
        }
        assertThat(Trend.of(Metric.HEAP, samples, TIME)).isEqualTo(new Trend(Metric.HEAP, MIB, MIB));
        assertThat(Trend.of(Metric.FILES, samples, TIME)).isEqualTo(new Trend(Metric.FILES, 1L, 1L));
    }

    static List<Sample> samples(LongUnaryOperator value) {
        return LongStream.rangeClosed(TIME.from(), TIME.to())
                .filter(time -> time % 10 == 0)
                .mapToObj(time -> sample(time, value.applyAsLong(time)))
                .toList();
    }

    static Sample sample(long micros, long value) {
        return new Sample(
                micros,
                List.of(new Sample.OfProcess(0, 7, value, value, value, value)),
                new Sample.OfRedis(value, value, value, value),
                value);
    }
}
