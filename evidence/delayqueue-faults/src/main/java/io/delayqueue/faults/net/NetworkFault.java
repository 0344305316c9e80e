// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.net;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** What a {@link FaultProxy} does to the connections that pass through it. */
public enum NetworkFault {

    /** Nothing. */
    NONE,

    /** All connections are reset, and no new one is accepted: the client is refused. */
    CUT,

    /**
     * What clients send arrives; what the server answers is swallowed. A connection that has missed bytes is reset when
     * this ends, as no peer would go on with a stream that has a hole.
     */
    DROP_REPLIES,

    /**
     * Nothing moves in either direction and nobody is told. New connections come to be, and are as silent. What was
     * sent arrives when this ends.
     */
    HALF_OPEN,

    /** What is sent arrives 50 to 150 ms later, in either direction. */
    DELAY,

    /** Every byte is written by itself, in either direction. */
    BYTE_BY_BYTE;

    private static final long SHORTEST_DELAY_MILLIS = 50;
    private static final long LONGEST_DELAY_MILLIS = 150;

    boolean moves() {
        return this != HALF_OPEN;
    }

    /** Returns how much is handed to the operating system at once. */
    int bytesPerWrite() {
        return this == BYTE_BY_BYTE ? 1 : Integer.MAX_VALUE;
    }

    /**
     * Returns how often one connection writes before it is the next one's turn. The number is small, so that a receiver
     * sees single bytes come.
     */
    int writesPerTurn() {
        return this == BYTE_BY_BYTE ? 8 : 1_000;
    }

    /** Returns how long a piece of a stream is held back; another time for each. */
    long delayNanos() {
        return this == DELAY
                ? TimeUnit.MILLISECONDS.toNanos(
                        ThreadLocalRandom.current().nextLong(SHORTEST_DELAY_MILLIS, LONGEST_DELAY_MILLIS + 1))
                : 0;
    }
}
