// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.Seed;
import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.mutant.Mutant;
import io.delayqueue.faults.outbox.RoundsCell;
import io.delayqueue.faults.outbox.RoundsDatabase;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Runs each mutant in its cell. The checker works if it convicts every mutant, by a rule that the mutant was made to
 * break.
 */
public record MutantRun(CellRunner runner, Cells cells, Seed seed) {

    private static final int ROUNDS = 56;

    /**
     * Returns the mutants with these labels, or all mutants without labels.
     *
     * @throws IllegalArgumentException if a label is unknown
     */
    public static List<Mutant> named(Collection<String> labels) {
        List<String> known = Arrays.stream(Mutant.values()).map(Mutant::label).toList();
        for (String label : labels) {
            if (!known.contains(label)) {
                throw new IllegalArgumentException(
                        "There is no mutant called '" + label + "'. There are: " + String.join(", ", known));
            }
        }
        return Arrays.stream(Mutant.values())
                .filter(mutant -> labels.isEmpty() || labels.contains(mutant.label()))
                .toList();
    }

    /** Prints two lines with the result of each mutant, and returns whether all were convicted. */
    boolean run(List<Mutant> mutants, PrintStream out) {
        boolean all = true;
        for (Mutant mutant : mutants) {
            try {
                Outcome outcome = outcome(mutant);
                List<Rule> by = outcome.broken().stream()
                        .filter(mutant.rules()::contains)
                        .toList();
                all &= outcome.wentWell();
                out.printf("%-28s %s%n", mutant.label(), by.isEmpty() ? "ACQUITTED" : "convicted by " + by);
                out.println("    " + outcome.line());
            } catch (Exception ex) {
                all = false;
                out.printf("%-28s FAIL could not be run in %s: %s%n", mutant.label(), mutant.cell(), ex);
                ex.printStackTrace(System.err);
            }
        }
        return all;
    }

    /** Runs one mutant. */
    Outcome outcome(Mutant mutant) throws Exception {
        if (mutant.cell().equals(RoundsCell.NAME)) {
            return inRounds(mutant);
        }
        Cell cell = cells.named(List.of(mutant.cell())).get(0);
        return Outcome.of(mutant, runner.run(cell, mutant));
    }

    private Outcome inRounds(Mutant mutant) throws Exception {
        return Outcome.of(mutant, RoundsRun.make(runner.folderOf(mutant), RoundsDatabase.POSTGRES, ROUNDS, seed));
    }
}
