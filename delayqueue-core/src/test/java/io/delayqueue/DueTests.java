// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

    @Test
    void atWhenLastMillisecondOf9999IsAllowed() {
        Instant last = Instant.parse("9999-12-31T23:59:59.999Z");
        assertThat(Due.at(last).millis()).isEqualTo(Due.MAX_EPOCH_MILLIS);
    }

    @Test
    void timesWhenOutOfRangeAreRefused() {
        for (Instant instant : new Instant[] {
            Instant.EPOCH.minusMillis(1), Instant.parse("+10000-01-01T00:00:00Z"), Instant.MAX, Instant.MIN
        }) {
            assertThatExceptionOfType(InvalidTaskException.class)
                    .isThrownBy(() -> Due.at(instant))
                    .withMessageContaining("9999");
        }
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> Due.after(Duration.ofSeconds(Long.MAX_VALUE)));
    }
}
