// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LatenessBucketsTests {

    @Test
    void middleWhenOfTheBucketOfALatenessIsOffByNinePercentAtMost() {
        Random random = new Random(7);
        for (int i = 0; i < 100_000; i++) {
            double millis =
                    Math.exp(random.nextDouble() * Math.log(Duration.ofDays(24).toMillis()));
            Duration late = Duration.ofNanos((long) (millis * 1e6));

            Duration taken = LatenessBuckets.middle(LatenessBuckets.of(late));

            assertThat(taken.toNanos() / (double) late.toNanos())
                    .as(late.toString())
                    .isBetween(1 / 1.0906, 1.0906);
        }
    }

    @Test
    void ofWhenThereIsNoBucketForItTakesTheFirstOrTheLast() {
        assertThat(LatenessBuckets.of(Duration.ofMillis(-5))).isZero();
        assertThat(LatenessBuckets.of(Duration.ofNanos(1))).isZero();
        assertThat(LatenessBuckets.middle(0)).isEqualTo(Duration.ofMillis(1));
        assertThat(LatenessBuckets.of(Duration.ofDays(3650))).isEqualTo(LatenessBuckets.COUNT - 1);
        assertThat(LatenessBuckets.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(LatenessBuckets.COUNT - 1);
    }
}
