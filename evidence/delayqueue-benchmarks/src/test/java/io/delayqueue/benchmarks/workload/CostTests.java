// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CostTests {

    @Test
    void metricsOfWhatWasSpentAreForEachTaskAndAddUpToProcessors() {
        Cost before = new Cost(new Effort(1_000, 500), Map.of("Redis", 10_000L, "the broker", 20_000L));
        Cost after = new Cost(new Effort(7_000, 2_500), Map.of("Redis", 13_000L, "the broker", 31_000L));

        assertThat(after.since(before).metrics(1_000, 10_000))
                .containsOnly(
                        Map.entry("CPU of the JVMs a task", 6.0),
                        Map.entry("compilers' part of it", 2.0),
                        Map.entry("CPU of Redis a task", 3.0),
                        Map.entry("CPU of the broker a task", 11.0),
                        Map.entry("CPU of all a task", 20.0),
                        Map.entry("processors busy", 2.0));
    }

    @Test
    void metricsWhenServersAreNotKnownLeaveTheirSumOut() {
        Cost cost = new Cost(new Effort(6_000, 2_000), Map.of());

        assertThat(cost.metrics(1_000, 10_000)).containsOnlyKeys("CPU of the JVMs a task", "compilers' part of it");
    }
}
