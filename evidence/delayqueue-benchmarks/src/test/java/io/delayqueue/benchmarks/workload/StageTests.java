// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StageTests {

    @Test
    void latenessMillisWhenSomeAreMissingIsOfThoseThatArrived() {
        Stage stage = new Stage(10, 4);

        stage.arrived(11, System.currentTimeMillis() - 5_000);

        assertThat(stage.arrived()).isEqualTo(1);
        assertThat(stage.latenessMillis(0.5)).isBetween(5_000.0, 60_000.0);
    }
}
