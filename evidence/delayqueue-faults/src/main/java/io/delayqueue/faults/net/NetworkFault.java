// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.net;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** The faults that a {@link FaultProxy} applies to its connections. */
public enum NetworkFault {

    /** No fault. */
    NONE,

    /** All connections are reset, and new ones are refused. */
    CUT,

    /**
     * Requests from clients arrive, but replies from the server are dropped. A connection that has lost bytes is reset
     * at the end of the fault, because no peer could continue with a gap in the stream.
     */
    DROP_REPLIES,

    /**
     * No data moves in either direction, and neither side is notified. New connections are accepted and are also
     * silent. Sent data arrives when the fault ends.
     */
    HALF_OPEN,

    /** Data arrives 50 to 150 ms later, in both directions. */
    DELAY,

    /** Every byte is written separately, in both directions. */
    BYTE_BY_BYTE;

    private static final long SHORTEST_DELAY_MILLIS = 50;
    private static final long LONGEST_DELAY_MILLIS = 150;

    boolean moves() {
        return this != HALF_OPEN;
    }

    /** Returns how many bytes are passed to the operating system at once. */
    int bytesPerWrite() {
        return this == BYTE_BY_BYTE ? 1 : Integer.MAX_VALUE;
    }

    /**
     * Returns how often a connection writes before the next connection has its turn. The number is small, so that a
     * receiver gets single bytes.
     */
    int writesPerTurn() {
        return this == BYTE_BY_BYTE ? 8 : 1_000;
    }

    /** Returns the delay of a part of a stream, which differs for each part. */
    long delayNanos() {
        return this == DELAY
                ? TimeUnit.MILLISECONDS.toNanos(
                        ThreadLocalRandom.current().nextLong(SHORTEST_DELAY_MILLIS, LONGEST_DELAY_MILLIS + 1))
                : 0;
    }
}
