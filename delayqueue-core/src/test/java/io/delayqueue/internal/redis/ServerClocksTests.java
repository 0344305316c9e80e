// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServerClocksTests {

    private static final Shard SHARD = new Shard("orders", 0);
    private static final long AHEAD_MICROS = TimeUnit.DAYS.toMicros(20_000);

    private final ServerClocks clocks = new ServerClocks(Duration.ofSeconds(1));

    @Test
    void heardAfterAQuickAnswerKnowsHowLongASlowOneTook() {
        assertThat(answerAfter(millis(50), 0)).as("nothing better is known").isCloseTo(0, within(millis(5)));

        answerAfter(0, 0);

        assertThat(answerAfter(millis(50), 0)).isCloseTo(millis(50), within(millis(5)));
    }

    @Test
    void heardWhenTheClockWasSetForwardFollowsIt() {
        answerAfter(0, 0);

        assertThat(answerAfter(0, TimeUnit.SECONDS.toMicros(10))).isCloseTo(0, within(millis(5)));
    }

    @Test
    void heardWhenTheClockWasSetBackFollowsIt() {
        answerAfter(0, 0);

        assertThat(answerAfter(0, -TimeUnit.SECONDS.toMicros(10))).isCloseTo(0, within(millis(5)));
    }

    /** Returns how long ago the server read its clock, in nanoseconds, as far as that is known. */
    private long answerAfter(long nanos, long setMicros) {
        long now = System.nanoTime();
        long micros = TimeUnit.NANOSECONDS.toMicros(now - nanos) + AHEAD_MICROS + setMicros;
        return now - clocks.heard(SHARD, micros, 0, now - nanos - millis(1));
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
