// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * What is left to chance in a run comes from this number: another one makes another run of the same cell. How the
 * threads and processes of a run meet each other is in nobody's hand, so that one number does not make the same run
 * twice.
 */
public record Seed(long value) {

    /**
     * Returns the numbers for one use, always the same; those for another use, or of another seed, have nothing to do
     * with them.
     */
    public Random random(String use) {
        long mixed = new SplittableRandom(value).nextLong() + use.hashCode();
        return new Random(new SplittableRandom(mixed).nextLong());
    }
}
