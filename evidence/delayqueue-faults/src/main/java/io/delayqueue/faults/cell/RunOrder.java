// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import org.jspecify.annotations.Nullable;

/**
 * One run of a cell, or of rounds.
 *
 * @param cell its name, or one of {@link RoundsRun#names}
 * @param mutant the label of the library with one thing wrong that is run in it; null: the library as it is
 * @param options how; of rounds there are as many as the length has seconds
 */
public record RunOrder(String cell, @Nullable String mutant, RunOptions options) {

    /** By what it is asked for. */
    public String name() {
        return mutant != null ? mutant : cell;
    }
}
