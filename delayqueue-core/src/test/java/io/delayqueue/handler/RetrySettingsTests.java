// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetrySettingsTests {

    private static RetrySettings withoutJitter() {
        return new RetrySettings(3, Duration.ofSeconds(1), 2, Duration.ofSeconds(10), 0);
    }

    @Test
    void delayAfterWhenFailuresGrowDoublesUpToTheCap() {
        Random random = new Random(1);

        assertThat(java.util.stream.IntStream.of(1, 2, 3, 4, 5, 6, 1000, Integer.MAX_VALUE)
                        .mapToObj(failures ->
                                withoutJitter().delayAfter(failures, random).toSeconds()))
                .containsExactly(1L, 2L, 4L, 8L, 10L, 10L, 10L, 10L);
        assertThat(withoutJitter().delayAfter(0, random)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void delayAfterWhenJitteredSpreadsOverTheShareAndNeverAboveTheCap() {
        RetrySettings policy = new RetrySettings(3, Duration.ofSeconds(1), 2, Duration.ofSeconds(10), 0.2);
        Random random = new Random(1);

        var delays = java.util.stream.IntStream.range(0, 10_000)
                .mapToLong(i -> policy.delayAfter(9, random).toMillis())
                .summaryStatistics();

        assertThat(delays.getMin()).isBetween(8000L, 8010L);
        assertThat(delays.getMax()).isBetween(9990L, 10_000L);
        assertThat(delays.getAverage()).isBetween(8950.0, 9050.0);
    }

    @Test
    void delayAfterWhenAllIsJitterIsAtLeastAMillisecond() {
        RetrySettings policy = new RetrySettings(3, Duration.ofMillis(1), 1, Duration.ofMillis(1), 1);
        Random random = new Random(1);

        for (int i = 0; i < 100; i++) {
            assertThat(policy.delayAfter(1, random)).isEqualTo(Duration.ofMillis(1));
        }
    }

    @Test
    void isExhaustedWhenNoRetryIsLeftIsTrue() {
        assertThat(withoutJitter().isExhausted(3)).isFalse();
        assertThat(withoutJitter().isExhausted(4)).isTrue();
    }

    @Test
    void constructorWhenAValueIsOutOfRangeNamesTheProperty() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetrySettings(-1, second, 2, second, 0))
                .withMessageContaining("max-retries");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetrySettings(1, Duration.ZERO, 2, second, 0))
                .withMessageContaining("delay");
        for (double multiplier : new double[] {0.5, 1001, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new RetrySettings(1, second, multiplier, second, 0))
                    .withMessageContaining("multiplier");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetrySettings(1, second, 2, Duration.ofMillis(1), 0))
                .withMessageContaining("max-delay");
        for (double jitter : new double[] {-0.1, 1.1, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new RetrySettings(1, second, 2, second, jitter))
                    .withMessageContaining("jitter");
        }
    }

    @Test
    void defaultRetriesForAboutADayAndAtMostAnHourApart() {
        RetrySettings settings = RetrySettings.DEFAULT;
        Duration longest = Duration.ZERO;
        Duration shortest = Duration.ZERO;
        int failures = 1;
        for (; !settings.isExhausted(failures); failures++) {
            longest = longest.plus(settings.delayAfter(failures, () -> 0L));
            shortest = shortest.plus(settings.delayAfter(failures, () -> -1L));
            assertThat(settings.delayAfter(failures, () -> 0L)).isLessThanOrEqualTo(Duration.ofHours(1));
        }

        assertThat(failures).as("attempts").isEqualTo(36);
        assertThat(longest).isBetween(Duration.ofHours(24), Duration.ofHours(25));
        assertThat(shortest).isBetween(Duration.ofHours(19), Duration.ofHours(20));
    }
}
