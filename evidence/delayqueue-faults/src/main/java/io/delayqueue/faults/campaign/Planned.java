// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import org.jspecify.annotations.Nullable;

/**
 * A run that is wanted.
 *
 * @param cell its name, or that of rounds
 * @param mutant the label of the library that is run in it; null: the library as it is
 * @param seed of the load and of the fault's times
 * @param seconds how long
 * @param alone whether no other run may go on, as its verdict is by time
 */
record Planned(String cell, @Nullable String mutant, long seed, int seconds, boolean alone) {

    String name() {
        return mutant != null ? mutant : cell;
    }
}
