// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestTests {

    private static final long MICROS = 1_000;

    private final Rest rest = new Rest();

    @Test
    void remainingWhenNothingWasDoneIsNothing() {
        assertThat(rest.remainingNanos(System.nanoTime())).isNotPositive();
    }

    @Test
    void remainingAfterWorkIsFourTimesAsLongAsItTook() {
        long ended = System.nanoTime();
        rest.after(ended - 300 * MICROS, ended);

        assertThat(rest.remainingNanos(ended)).isEqualTo(1_200 * MICROS);
        assertThat(rest.remainingNanos(ended + 1_200 * MICROS)).isNotPositive();
    }

    @Test
    void remainingAfterLongWorkIsShort() {
        long ended = System.nanoTime();
        rest.after(ended - Duration.ofSeconds(3).toNanos(), ended);

        assertThat(rest.remainingNanos(ended)).isEqualTo(Rest.LONGEST.toNanos());
    }
}
