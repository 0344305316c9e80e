// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StolenTimeTests {

    @Test
    void shareIsWhatTheHostTookOfAllThatWasCountedMeanwhile() {
        long[] before = StolenTime.numbers("cpu  1000 0 500 8000 10 0 0 100 7 7");
        long[] now = StolenTime.numbers("cpu  1040 0 510 8030 10 0 0 120 9 9");

        assertThat(StolenTime.share(before, now)).isEqualTo(0.2);
    }

    @Test
    void shareWhenNothingWasCountedIsNone() {
        long[] numbers = StolenTime.numbers("cpu  1000 0 500 8000 10 0 0 100 7 7");

        assertThat(StolenTime.share(numbers, numbers)).isZero();
    }
}
