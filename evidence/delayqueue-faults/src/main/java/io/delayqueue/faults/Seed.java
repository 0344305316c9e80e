// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * The number that determines the random choices of a run: with another number, the run of a cell differs. It does not
 * control the interleaving of threads and processes, so two runs with the same number are not identical.
 */
public record Seed(long value) {

    /**
     * Returns the random numbers for one use, the same on each call. They are independent of those for other uses and
     * other seeds.
     */
    public Random random(String use) {
        long mixed = new SplittableRandom(value).nextLong() + use.hashCode();
        return new Random(new SplittableRandom(mixed).nextLong());
    }
}
