// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CellTimingTests {

    @Test
    void ofWhenTheFaultIsAsLongAsItMayBeSpendsWhatWasGiven() {
        CellTiming timing = CellTiming.of(Duration.ofSeconds(120), Duration.ZERO);
        assertThat(timing.longestDelay()).isEqualTo(Duration.ofSeconds(20));
        assertThat(timing.fault()).isEqualTo(Duration.ofSeconds(40));
        assertThat(timing.warmUp().plus(timing.fault()).plus(timing.after()).plus(timing.longestDelay()))
                .isEqualTo(Duration.ofSeconds(120));
    }

    @Test
    void ofWhenTheFaultTakesLongerLeavesTimeAfterIt() {
        CellTiming timing = CellTiming.of(Duration.ofSeconds(60), Duration.ofSeconds(50));
        assertThat(timing.fault()).isEqualTo(Duration.ofSeconds(50));
        assertThat(timing.after()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void ofWhenTheRunIsShortHasShorterDelays() {
        assertThat(CellTiming.of(Duration.ofSeconds(24), Duration.ZERO).longestDelay())
                .isEqualTo(Duration.ofSeconds(6));
    }
}
