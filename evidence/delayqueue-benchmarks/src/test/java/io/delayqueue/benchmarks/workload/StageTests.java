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
}
