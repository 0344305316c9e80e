// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.Seed;
import java.time.Duration;
import java.util.Random;

/**
 * The random choices for the fault of a run: when it begins, and its pauses. They depend on the seed of the run.
 * Thread-safe.
 */
final class Chance {

    /** The maximum delay of a fault, as a share of the usual time before it. */
    private static final double LATER = 0.5;
    /** The maximum change of a pause, as a share of its length. */
    private static final double OFF = 0.2;

    private final Seed seed;
    private final Random times;

    Chance(Seed seed, String cell) {
        this.seed = seed;
        this.times = seed.random("fault of " + cell);
    }

    /** Returns the time of the load before the fault: this time, or up to half as much more. */
    Duration warmUp(Duration shortest) {
        return times(shortest, 1 + LATER * times.nextDouble());
    }

    /** Returns a pause between two faults: this time, up to a fifth shorter or longer. */
    Duration pause(Duration usual) {
        return times(usual, 1 - OFF + 2 * OFF * times.nextDouble());
    }

    /** Returns random numbers for other choices of a cell. */
    Random random(String use) {
        return seed.random(use);
    }

    private static Duration times(Duration time, double factor) {
        return Duration.ofNanos((long) (time.toNanos() * factor));
    }
}
