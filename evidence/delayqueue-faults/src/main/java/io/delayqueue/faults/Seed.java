// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * The number from which the random choices of a run are made: another number gives another run of the same cell. The
 * interleaving of threads and processes is not under control, so the same number does not give the same run twice.
 */
public record Seed(long value) {

    /**
     * Returns the random numbers for one use, always the same. They are independent of those for other uses and other
     * seeds.
     */
    public Random random(String use) {
        long mixed = new SplittableRandom(value).nextLong() + use.hashCode();
        return new Random(new SplittableRandom(mixed).nextLong());
    }
}
