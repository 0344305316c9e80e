// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import org.jspecify.annotations.Nullable;

/**
 * The order to make one run of a cell or of rounds.
 *
 * @param cell its name, or one of {@link RoundsRun#names}
 * @param mutant the label of the mutant to run; null for the unchanged library
 * @param options options of the run; the number of rounds is the length in seconds
 */
public record RunOrder(String cell, @Nullable String mutant, RunOptions options) {

    /** Returns its name. */
    public String name() {
        return mutant != null ? mutant : cell;
    }
}
