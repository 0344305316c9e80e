// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.ApplicationProcess;
import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.check.Verdict;
import io.delayqueue.faults.mutant.Mutant;
import io.delayqueue.faults.outbox.RoundsCell;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Runs each mutant in its cell. The checker is good if it convicts them all, each by a rule that it was made to break.
 */
final class MutantRun {

    private static final int ROUNDS = 56;

    private final CellRunner runner;
    private final Cells cells;

    MutantRun(CellRunner runner, Cells cells) {
        this.runner = runner;
        this.cells = cells;
    }

    /**
     * The mutants of these labels; all, if there are none.
     *
     * @throws IllegalArgumentException if there is none of a label
     */
    static List<Mutant> named(Collection<String> labels) {
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

    /** Says in two lines each what came of them, and returns whether all were convicted. */
    boolean run(List<Mutant> mutants, PrintStream out) {
        boolean all = true;
        for (Mutant mutant : mutants) {
            try {
                Trial trial = mutant.cell().equals(RoundsCell.NAME) ? inRounds(mutant) : inCell(mutant);
                Set<Rule> by = new TreeSet<>(trial.broken());
                by.retainAll(mutant.rules());
                all &= !by.isEmpty();
                out.printf("%-28s %s%n", mutant.label(), by.isEmpty() ? "ACQUITTED" : "convicted by " + by);
                out.println("    " + trial.line());
            } catch (Exception ex) {
                all = false;
                out.printf("%-28s FAIL could not be run in %s: %s%n", mutant.label(), mutant.cell(), ex);
                ex.printStackTrace(System.err);
            }
        }
        return all;
    }

    private Trial inCell(Mutant mutant) throws Exception {
        Cell cell = cells.named(List.of(mutant.cell())).get(0);
        Verdict verdict = runner.run(cell, mutant).verdict();
        return new Trial(verdict.broken(), verdict.line());
    }

    private Trial inRounds(Mutant mutant) throws Exception {
        RunFolder folder = runner.folderOf(mutant);
        Path log = folder.log(RoundsCell.NAME);
        List<String> lines;
        try (ApplicationProcess rounds = ApplicationProcess.start(
                RoundsCell.class,
                folder.classPathBefore() + System.getProperty("java.class.path"),
                log,
                List.of("postgres", "" + ROUNDS, "1"))) {
            rounds.awaitEnd();
            lines = Files.readAllLines(log);
        }
        Set<Rule> broken = EnumSet.noneOf(Rule.class);
        for (Rule rule : Rule.values()) {
            if (lines.stream().anyMatch(line -> line.startsWith("    " + rule + " "))) {
                broken.add(rule);
            }
        }
        return new Trial(
                broken,
                lines.stream()
                        .filter(line -> line.startsWith(RoundsCell.NAME))
                        .findFirst()
                        .orElse("no verdict"));
    }

    private record Trial(Set<Rule> broken, String line) {}
}
