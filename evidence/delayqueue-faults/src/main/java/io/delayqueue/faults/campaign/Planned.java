// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import org.jspecify.annotations.Nullable;

/**
 * A planned run.
 *
 * @param cell name of the cell, or of the rounds
 * @param mutant the label of the mutant to run; null for the unchanged library
 * @param seed seed of the load and of the fault's times
 * @param seconds length of the run
 * @param alone whether no other run may be in progress, because its verdict depends on time
 */
record Planned(String cell, @Nullable String mutant, long seed, int seconds, boolean alone) {

    String name() {
        return mutant != null ? mutant : cell;
    }
}
