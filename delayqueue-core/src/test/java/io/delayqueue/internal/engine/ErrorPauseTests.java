// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ErrorPauseTests {

    private final ErrorPause pause = new ErrorPause(Duration.ofMillis(50), Duration.ofSeconds(1));

    @Test
    void nextWhenErrorsFollowEachOtherDoublesUpToTheLongest() {
        assertThat(pause.next()).hasMillis(50);
        assertThat(pause.next()).hasMillis(100);
        assertThat(pause.next()).hasMillis(200);
        for (int i = 0; i < 100; i++) {
            pause.next();
        }
        assertThat(pause.next()).hasSeconds(1);
    }

    @Test
    void isWorthAWarningWhenErrorsFollowEachOtherIsTrueForTheFirst() {
        pause.next();
        assertThat(pause.isWorthAWarning()).isTrue();
        pause.next();
        assertThat(pause.isWorthAWarning()).isFalse();
    }

    @Test
    void resetWhenThereWereErrorsSaysSoAndStartsAnew() {
        assertThat(pause.reset()).isFalse();
        pause.next();
        pause.next();
        assertThat(pause.reset()).isTrue();
        assertThat(pause.next()).hasMillis(50);
    }
}
