// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

class DoublingBackOffTests {

    private final BackOff backOff = DoublingBackOff.between(Duration.ofMillis(50), Duration.ofSeconds(1));

    @Test
    void nextBackOffWhenFailuresFollowEachOtherDoublesUpToTheLongest() {
        BackOffExecution pauses = backOff.start();

        assertThat(pauses.nextBackOff()).isEqualTo(50);
        assertThat(pauses.nextBackOff()).isEqualTo(100);
        assertThat(pauses.nextBackOff()).isEqualTo(200);
        for (int i = 0; i < 100_000; i++) {
            pauses.nextBackOff();
        }
        assertThat(pauses.nextBackOff()).isEqualTo(1000);
    }

    @Test
    void startWhenThereWereFailuresBeginsAnew() {
        backOff.start().nextBackOff();

        assertThat(backOff.start().nextBackOff()).isEqualTo(50);
    }

    @Test
    void nextBackOffWhenTheLongestIsShorterThanTheFirstIsTheLongest() {
        BackOff shorter = DoublingBackOff.between(Duration.ofMillis(50), Duration.ofMillis(20));

        assertThat(shorter.start().nextBackOff()).isEqualTo(20);
    }

    @Test
    void nextBackOffWhenTheLongestIsLessThanAMillisecondIsOne() {
        BackOff shortest = DoublingBackOff.between(Duration.ofMillis(50), Duration.ofNanos(1));

        assertThat(shortest.start().nextBackOff()).isEqualTo(1);
    }
}
