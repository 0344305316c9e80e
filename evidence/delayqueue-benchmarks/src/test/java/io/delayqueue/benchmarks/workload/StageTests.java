// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StageTests {

    @Test
    void latenessMillisWhenSomeAreMissingIsOfThoseThatArrived() {
        Stage stage = new Stage(10, 4);

        stage.arrived(11, 1_000, 6_000_250);

        assertThat(stage.arrived()).isEqualTo(1);
        assertThat(stage.latenessMillis(0.5)).isEqualTo(5_000.25);
    }

    @Test
    void rateSinceWhenTheFirstIsLateCountsItsLateness() {
        Stage stage = new Stage(0, 2);

        stage.arrived(0, 1_000, 1_500_000);
        stage.arrived(1, 1_000, 2_000_000);

        assertThat(stage.rate()).isEqualTo(4);
        assertThat(stage.rateSince(1_000_000)).isEqualTo(2);
    }
}
