// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerClocksTests {

    private static final Shard SHARD = new Shard("orders", 0);
    private static final long AHEAD_MICROS = TimeUnit.DAYS.toMicros(20_000);

    private final ServerClocks clocks = new ServerClocks(Duration.ofSeconds(1));

    @Test
    void heardSaysWhenToSendByTheQuickestCallSoFar() {
        assertThat(millisToServer(50, 5, 0)).isEqualTo(50);
        assertThat(millisToServer(2, 50, 0)).isEqualTo(2);
        assertThat(millisToServer(50, 5, 0))
                .as("the call was slow, the next need not be")
                .isEqualTo(2);
    }

    @Test
    void nowIsNeverAheadOfTheServer() {
        millisToServer(50, 5, 0);
        millisToServer(2, 50, 0);

        long before = serverMillis();
        assertThat(clocks.now(SHARD)).isBetween(before - 6, serverMillis());
    }

    @ParameterizedTest
    @ValueSource(longs = {10_000, -10_000})
    void heardWhenTheClockWasMovedFollowsIt(long millis) {
        millisToServer(2, 5, 0);

        assertThat(millisToServer(7, 5, millis)).isEqualTo(7);
    }

    /** Returns the estimated time of a call to the server, after a call with these times to the server and back. */
    private long millisToServer(long to, long back, long moved) {
        long read = System.nanoTime() - millis(back);
        long micros = TimeUnit.NANOSECONDS.toMicros(read + millis(moved)) + AHEAD_MICROS;
        long known = read - clocks.heard(SHARD, micros, 0, read - millis(to));
        return Math.round(known / 1e6);
    }

    private static long serverMillis() {
        return (TimeUnit.NANOSECONDS.toMicros(System.nanoTime()) + AHEAD_MICROS) / 1000;
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
