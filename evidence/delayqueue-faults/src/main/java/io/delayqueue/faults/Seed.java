// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import java.util.Random;
import java.util.SplittableRandom;

/**
 * The number that determines the random choices of a run. It does not control the interleaving of threads and
 * processes, so two runs with the same seed are not identical.
 */
public record Seed(long value) {

    /**
     * Returns the random numbers for one use, the same on each call. Other uses and other seeds have independent random
     * numbers.
     */
    public Random random(String use) {
        long mixed = new SplittableRandom(value).nextLong() + use.hashCode();
        return new Random(new SplittableRandom(mixed).nextLong());
    }
}
