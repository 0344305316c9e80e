// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.Seed;
import java.time.Duration;
import java.util.Random;

/** What a run's seed decides of its fault: when it begins, and the pauses in it. Safe for use by several threads. */
final class Chance {

    /** How much later a fault may begin. */
    private static final double LATER = 0.5;
    /** How much shorter or longer a pause may be. */
    private static final double OFF = 0.2;

    private final Seed seed;
    private final Random times;

    Chance(Seed seed, String cell) {
        this.seed = seed;
        this.times = seed.random("fault of " + cell);
    }

    /** Returns the load's time before the fault: this, or up to half as much more. */
    Duration warmUp(Duration shortest) {
        return times(shortest, 1 + LATER * times.nextDouble());
    }

    /** Returns a pause between two faults: this, or up to a fifth less or more. */
    Duration pause(Duration usual) {
        return times(usual, 1 - OFF + 2 * OFF * times.nextDouble());
    }

    /** For what a cell draws beside times. */
    Random random(String use) {
        return seed.random(use);
    }

    private static Duration times(Duration time, double factor) {
        return Duration.ofNanos((long) (time.toNanos() * factor));
    }
}
