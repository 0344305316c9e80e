// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTests {

    @Test
    void valuesWhenRunsDifferInRedisKeepsThemApart() {
        Results results = new Results(List.of(
                run(Run.NONE, 1, 1.0), run(Run.NONE, 2, 2.0), run(Run.EVERYSEC, 1, 3.0), run(Run.CLUSTER, 1, 4.0)));

        assertThat(results.metrics("W1")).containsExactly("rate", "rate, AOF everysec", "rate, cluster");
        assertThat(results.values("W1", "loop", "rate")).containsExactly(1.0, 2.0);
        assertThat(results.values("W1", "loop", "rate, AOF everysec")).containsExactly(3.0);
        assertThat(results.values("W1", "loop", "rate, cluster")).containsExactly(4.0);
    }

    private static Run run(String variant, int round, double value) {
        Outcome outcome = new Outcome(Map.of("rate", value), 1, 1, List.of(), Map.of(), 0, 0);
        return new Run("W1", "loop", variant, round, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome);
    }
}
