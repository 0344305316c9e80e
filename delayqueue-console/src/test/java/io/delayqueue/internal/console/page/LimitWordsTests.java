// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.delayqueue.internal.control.KeyView;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitWordsTests {

    @ParameterizedTest
    @CsvSource({"5/s", "300/m", "100/10m", "7/h", "1/d", "30/2h", "1/90s", "5/s burst 10"})
    void rateWhenConfiguredIsWrittenAsInTheConfiguration(String text) {
        assertThat(LimitWords.rate(Rate.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "5/s, 5/s",
        "3/s, 3/s",
        "7/m, 7/m",
        "7/h, 7/h",
        "1/d, 1/d",
        "300/m, 5/s",
        "1/90s, 40/h",
        "5/7s, 5/7s",
        "11/7s, 11/7s",
        "3/5h, 1/100m",
        "1/86399s, 1/86399s"
    })
    void rateWhenSetAtRunTimeIsThatOfItsInterval(String set, String words) {
        Duration interval = Duration.of(Rate.parse(set).intervalMicros(), ChronoUnit.MICROS);

        assertThat(LimitWords.rate(interval, null)).isEqualTo(words);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 3, 1001, 1234, 999_999, 1_000_001, 1_234_567_891, 50_000_500_000L})
    void rateWhenNoRateHasTheIntervalIsTheNearest(long micros) {
        String words = LimitWords.rate(Duration.of(micros, ChronoUnit.MICROS), null);

        assertThat(Rate.parse(words).intervalMicros()).isCloseTo(micros, withinPercentage(0.002));
    }

    @Test
    void limitOfAKeyReplacesThatOfTheQueuePartByPart() {
        LimitSettings queue = new LimitSettings(null, null, Rate.parse("5/s"), 2);

        assertThat(LimitWords.ofKey(queue, key(null, null))).isEqualTo("5/s, 2 at a time");
        assertThat(LimitWords.ofKey(queue, key(Duration.ofMillis(50), null))).isEqualTo("20/s, 2 at a time");
        assertThat(LimitWords.ofKey(queue, key(null, 7))).isEqualTo("5/s, 7 at a time");
        assertThat(LimitWords.ofKey(LimitSettings.NONE, key(null, null))).isNull();
        assertThat(LimitWords.rate(Duration.ofMillis(200), 10)).isEqualTo("5/s burst 10");
    }

    private static KeyView key(@Nullable Duration interval, @Nullable Integer concurrency) {
        return new KeyView("mails", "clinic-17", interval, null, concurrency, null, 0, null);
    }
}
