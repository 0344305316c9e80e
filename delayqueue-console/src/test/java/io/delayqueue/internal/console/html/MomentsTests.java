// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MomentsTests {

    private static final Instant NOW = Instant.parse("2026-11-22T22:30:00Z");

    @ParameterizedTest
    @CsvSource({
        "0s, now",
        "1500ms, now",
        "-1500ms, just now",
        "59s, in 59 seconds",
        "60s, in 1 minute",
        "125s, in 2 minutes 5 seconds",
        "-2h, 2 hours ago",
        "25h, in 1 day 1 hour",
        "800d, in 2 years"
    })
    void distanceIsToldInItsTwoLargestUnits(String until, String words) {
        Duration duration = org.springframework.boot.convert.DurationStyle.detectAndParse(until);
        assertThat(new Moments(NOW).distance(NOW.plus(duration))).isEqualTo(words);
    }
}
