// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.delayqueue.benchmarks.server.RedisGauge;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MediansTests {

    private final Recorder recorder = new Recorder(mock(RedisGauge.class));

    private final Medians medians = new Medians();

    @Test
    void recordWhenValuesAreOddInNumberTakesTheOneInTheMiddle() {
        medians.add("rate", 5);
        medians.add("rate", 1);
        medians.add("rate", 2);

        medians.record(recorder);

        assertThat(recorder.outcome().metrics()).containsEntry("rate", 2.0);
    }

    @Test
    void recordWhenValuesWereMeasuredInTurnsKeepsThemInThatOrder() {
        medians.add("rate", 5);
        medians.add("rate", 1);
        medians.add("rate", 2);

        medians.record(recorder);

        assertThat(recorder.outcome().samples()).containsExactly(Map.entry("rate", List.of(5.0, 1.0, 2.0)));
    }

    @Test
    void recordWhenValuesAreEvenInNumberTakesTheMeanOfTheTwoInTheMiddle() {
        medians.add("rate", 10);
        medians.add("rate", 1);
        medians.add("rate", 4);
        medians.add("rate", 2);

        medians.record(recorder);

        assertThat(recorder.outcome().metrics()).containsEntry("rate", 3.0);
    }
}
