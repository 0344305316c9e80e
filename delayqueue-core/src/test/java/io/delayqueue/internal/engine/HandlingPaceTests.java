// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HandlingPaceTests {

    private final HandlingPace pace = new HandlingPace(200);

    private void took(int deliveries, Duration each) {
        pace.took(deliveries, each.multipliedBy(deliveries).toNanos());
    }

    @Test
    void startableWhenNothingIsKnownIsOne() {
        assertThat(pace.startable()).isEqualTo(1);
    }

    @Test
    void startableFollowsWhatDeliveriesTook() {
        took(1, Duration.ofMillis(20));
        assertThat(pace.startable()).isEqualTo(10);
    }

    @Test
    void startableWhenDeliveriesAreQuickIsTheMostAfterOneBatch() {
        took(1, Duration.ofNanos(20_000));
        assertThat(pace.startable()).isEqualTo(200);
        took(200, Duration.ZERO);
        assertThat(pace.startable()).isEqualTo(200);
    }

    @Test
    void startableWhenDeliveriesBecomeSlowIsOneAtOnceAndGrowsAgainWithQuickOnes() {
        took(200, Duration.ofNanos(20_000));
        took(1, Duration.ofSeconds(1));
        assertThat(pace.startable()).isEqualTo(1);
        for (int batch = 0; batch < 20; batch++) {
            took(pace.startable(), Duration.ofNanos(20_000));
        }
        assertThat(pace.startable()).isGreaterThan(100);
    }
}
