// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DueTimeTests {

    @Test
    void afterWhenDelayHasNanosRoundsUp() {
        assertThat(DueTime.after(Duration.ofNanos(1))).isEqualTo(new DueTime(true, 1));
        assertThat(DueTime.after(Duration.ofMillis(7))).isEqualTo(new DueTime(true, 7));
        assertThat(DueTime.after(Duration.ofMillis(7).plusNanos(1))).isEqualTo(new DueTime(true, 8));
    }

    @Test
    void afterWhenDelayIsNegativeMeansAtOnce() {
        assertThat(DueTime.after(Duration.ofDays(-1))).isEqualTo(new DueTime(true, 0));
        assertThat(DueTime.after(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(new DueTime(true, 0));
    }

    @Test
    void atWhenInstantHasNanosRoundsUp() {
        assertThat(DueTime.at(Instant.ofEpochMilli(1234).plusNanos(1))).isEqualTo(new DueTime(false, 1235));
        assertThat(DueTime.at(Instant.EPOCH)).isEqualTo(new DueTime(false, 0));
    }

    @Test
    void atWhenLastMillisecondOf9999IsAllowed() {
        Instant last = Instant.parse("9999-12-31T23:59:59.999Z");
        assertThat(DueTime.at(last).millis()).isEqualTo(DueTime.MAX_EPOCH_MILLIS);
    }

    @Test
    void timesWhenOutOfRangeAreRefused() {
        for (Instant instant : new Instant[] {
            Instant.EPOCH.minusMillis(1), Instant.parse("+10000-01-01T00:00:00Z"), Instant.MAX, Instant.MIN
        }) {
            assertThatExceptionOfType(DueTimeOutOfRangeException.class)
                    .isThrownBy(() -> DueTime.at(instant))
                    .withMessageContaining("9999");
        }
        assertThatExceptionOfType(DueTimeOutOfRangeException.class)
                .isThrownBy(() -> DueTime.after(Duration.ofSeconds(Long.MAX_VALUE)));
    }
}
