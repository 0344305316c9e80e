// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DueTests {

    @Test
    void afterWhenDelayHasNanosRoundsUp() {
        assertThat(Due.after(Duration.ofNanos(1))).isEqualTo(new Due(true, 1));
        assertThat(Due.after(Duration.ofMillis(7))).isEqualTo(new Due(true, 7));
        assertThat(Due.after(Duration.ofMillis(7).plusNanos(1))).isEqualTo(new Due(true, 8));
    }

    @Test
    void afterWhenDelayIsNegativeMeansAtOnce() {
        assertThat(Due.after(Duration.ofDays(-1))).isEqualTo(new Due(true, 0));
        assertThat(Due.after(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(new Due(true, 0));
    }

    @Test
    void atWhenInstantHasNanosRoundsUp() {
        assertThat(Due.at(Instant.ofEpochMilli(1234).plusNanos(1))).isEqualTo(new Due(false, 1235));
        assertThat(Due.at(Instant.EPOCH)).isEqualTo(new Due(false, 0));
    }
}
