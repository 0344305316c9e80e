// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTests {

    @ParameterizedTest
    @CsvSource({
        "5/s, 5, PT1S, 200000",
        "' 300/m ', 300, PT1M, 200000",
        "100/10m, 100, PT10M, 6000000",
        "7/h, 7, PT1H, 514285715",
        "1/d, 1, PT24H, 86400000000",
        "10/60s, 10, PT1M, 6000000",
        "1000000/s, 1000000, PT1S, 1",
    })
    void parseReadsTasksAndTime(String text, int tasks, Duration per, long intervalMicros) {
        Rate rate = Rate.parse(text);

        assertThat(rate).isEqualTo(new Rate(tasks, per));
        assertThat(rate.intervalMicros()).isEqualTo(intervalMicros);
    }

    @Test
    void parseWhenTheRateHasABurstReadsIt() {
        assertThat(Rate.parse("5/s burst 10")).isEqualTo(new Rate(5, Duration.ofSeconds(1), 10));
        assertThat(Rate.parse(" 300/10m  burst  1 ")).isEqualTo(new Rate(300, Duration.ofMinutes(10), 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "/s",
                "5/",
                "5/x",
                "-5/s",
                "0/s",
                "5/0s",
                "5.5/s",
                "5/2d",
                "1000001/s",
                "5 / s",
                "5/sburst 10",
                "5/s burst",
                "5/s burst 10/s",
                "99999999999/s"
            })
    void parseWhenTheTextIsNoRateSaysWhatToWrite(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Rate.parse(text)).withMessageContaining("'5/s'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5/s burst 0", "5/s burst 10001"})
    void parseWhenTheBurstIsOutOfRangeSaysWhatItMayBe(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rate.parse(text))
                .withMessageContaining("burst")
                .withMessageContaining("10000");
    }

    @Test
    void lowerWhenTheLowerRateHasTheLargerBurstTakesTheSmallerOfBoth() {
        assertThat(Rate.parse("50/s burst 1000").lower(Rate.parse("60/s burst 1")))
                .isEqualTo(Rate.parse("50/s burst 1"));
        assertThat(Rate.parse("10/s").lower(Rate.parse("9/s burst 100"))).isEqualTo(Rate.parse("9/s burst 1"));
        assertThat(Rate.parse("5/s").lower(Rate.parse("300/m burst 4"))).isEqualTo(Rate.parse("5/s"));
    }

    @Test
    void perSecondWhenTheUnitIsLongerIsAFraction() {
        assertThat(Rate.parse("90/m").perSecond()).isEqualTo(1.5);
    }
}
