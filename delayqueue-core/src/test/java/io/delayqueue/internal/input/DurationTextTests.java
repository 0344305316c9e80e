// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTests {

    @ParameterizedTest
    @ValueSource(strings = {"60", "+1", "-5", " 30 ", "100", "010"})
    void lacksUnitWhenTheTextIsANumber(String text) {
        assertThat(DurationText.lacksUnit(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0", "00", "", "60s", "1ms", "PT1S", "soon"})
    void lacksUnitWhenTheTextIsZeroOrHasAUnitIsFalse(String text) {
        assertThat(DurationText.lacksUnit(text)).isFalse();
    }

    @Test
    void withUnitsSaysWhatToWrite() {
        assertThat(DurationText.withUnits("60")).isEqualTo("60s for seconds or 60ms for milliseconds");
    }

    @Test
    void ofWhenADurationOverflowsMillisecondsIsInSeconds() {
        assertThat(DurationText.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo("9223372036854775807s");
        assertThat(DurationText.of(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo("-9223372036854775808s");
    }
}
