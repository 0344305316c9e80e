// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThrottleTests {

    @Test
    void passesIsTrueOncePerPeriod() {
        Throttle hourly = new Throttle(Duration.ofHours(1));
        assertThat(hourly.passes()).isTrue();
        assertThat(hourly.passes()).isFalse();

        Throttle always = new Throttle(Duration.ZERO);
        assertThat(always.passes()).isTrue();
        assertThat(always.passes()).isTrue();
    }
}
