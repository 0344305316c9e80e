// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LibrariesTests {

    @ParameterizedTest
    @ValueSource(strings = {"W12", "W13", "W14", "W15"})
    void inWhenTheWorkloadHasAnOutboxNamesItToo(String workload) {
        assertThat(Libraries.in(workload, "3806a1d1", "9f1b22c0")).isEqualTo("3806a1d1/9f1b22c0");
        assertThat(Libraries.in(workload, "3806a1d1", "")).isEqualTo("3806a1d1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"W1", "W2a", "W2b", "W2c", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10", "W11", "W16"})
    void inWhenTheWorkloadHasNoneDoesNot(String workload) {
        assertThat(Libraries.in(workload, "3806a1d1", "9f1b22c0")).isEqualTo("3806a1d1");
    }
}
