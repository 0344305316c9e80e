// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.security.SecureRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Generates ids of 22 characters that sort by their bytes in the order of generation within a process. Each id has 132
 * bits: 48 for epoch milliseconds, 24 for a counter within the millisecond, and 60 random bits. The counter follows RFC
 * 9562, section 6.2, method 1: it starts at a random number below half of its range. If the counter overflows or the
 * clock is set back, the milliseconds run ahead of the clock. Thread-safe.
 */
final class TimeOrderedIds {

    /** The instance of this process. */
    static final TimeOrderedIds SHARED = new TimeOrderedIds(System::currentTimeMillis, new SecureRandom());

    private static final char[] ALPHABET =
            "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".toCharArray();
    private static final int BITS_OF_CHARACTER = 6;
    private static final int CHARACTERS_OF_TIME = 8;
    private static final int CHARACTERS_OF_COUNTER = 4;
    private static final int CHARACTERS_OF_RANDOM = 10;
    private static final int COUNTER_BITS = BITS_OF_CHARACTER * CHARACTERS_OF_COUNTER;
    private static final int COUNTERS = 1 << COUNTER_BITS;

    private final LongSupplier clock;
    private final RandomGenerator random;
    private long millis;
    private int counter;

    TimeOrderedIds(LongSupplier clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    String next() {
        long entropy = random.nextLong();
        StringBuilder id = new StringBuilder(CHARACTERS_OF_TIME + CHARACTERS_OF_COUNTER + CHARACTERS_OF_RANDOM);
        synchronized (this) {
            advance();
            append(id, millis, CHARACTERS_OF_TIME);
            append(id, counter, CHARACTERS_OF_COUNTER);
        }
        append(id, entropy, CHARACTERS_OF_RANDOM);
        return id.toString();
    }

    private void advance() {
        long now = clock.getAsLong();
        counter++;
        if (now > millis || counter == COUNTERS) {
            millis = Math.max(now, millis + 1);
            counter = random.nextInt(COUNTERS / 2);
        }
    }

    private static void append(StringBuilder id, long bits, int characters) {
        for (int i = characters - 1; i >= 0; i--) {
            id.append(ALPHABET[(int) (bits >>> (i * BITS_OF_CHARACTER)) & (ALPHABET.length - 1)]);
        }
    }
}
