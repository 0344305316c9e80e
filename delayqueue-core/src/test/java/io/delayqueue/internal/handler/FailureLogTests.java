// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FailureLogTests {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final FailureLog log = new FailureLog(now::get);

    @Test
    void admitWhenATypeComesOftenLeavesOutAndThenSaysHowMany() {
        for (int i = 0; i < FailureLog.MOST_LINES; i++) {
            assertThat(log.admit(new IllegalStateException())).isZero();
        }
        for (int i = 0; i < 7; i++) {
            assertThat(log.admit(new IllegalStateException())).isNegative();
        }
        assertThat(log.admit(new IllegalArgumentException())).as("another type").isZero();
        now.addAndGet(TimeUnit.SECONDS.toNanos(59));
        assertThat(log.admit(new IllegalStateException())).isNegative();
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(log.admit(new IllegalStateException())).isEqualTo(8);
        assertThat(log.admit(new IllegalStateException())).isZero();
    }
}
