// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SummaryTests {

    @Test
    void ofWhenValuesAreEvenInNumberLiesBetweenThem() {
        assertThat(Summary.of(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(new Summary(2.5, 1, 4, 1.75, 3.25, 4));
    }

    @Test
    void ofWhenValuesAreOddInNumberIsOfThem() {
        assertThat(Summary.of(List.of(5.0, 1.0, 4.0, 2.0, 3.0))).isEqualTo(new Summary(3, 1, 5, 2, 4, 5));
    }

    @Test
    void ofWhenThereIsOneValueIsThatValue() {
        assertThat(Summary.of(List.of(0.95))).isEqualTo(new Summary(0.95, 0.95, 0.95, 0.95, 0.95, 1));
    }
}
