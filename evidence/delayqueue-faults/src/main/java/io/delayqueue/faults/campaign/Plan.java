// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.mutant.Mutant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The runs of a campaign, in order: all cells and rounds with the first seed, then the mutants, then the cells and
 * rounds with the other seeds. A campaign that ends early has therefore run each cell at least once.
 *
 * @param runs all runs
 * @param library the library to run
 */
record Plan(List<Planned> runs, LibraryCommits library) {

    /** The maximum length of a mutant's run, whose fault appears sooner. */
    private static final int MUTANT_SECONDS = 60;

    /** The rules that depend only on time, so that a busy machine can break them. */
    private static final Set<Rule> BY_TIME = Set.of(Rule.LATE, Rule.HELD_UP);

    /**
     * @param rounds names of rounds; they must run alone, because if Redis freezes for too long, their order cannot be
     *     judged
     */
    static Plan of(
            List<String> cells,
            List<String> rounds,
            List<Mutant> mutants,
            int seeds,
            int seconds,
            LibraryCommits library) {
        List<Planned> runs = new ArrayList<>();
        for (int seed = 1; seed <= seeds; seed++) {
            for (String cell : cells) {
                runs.add(new Planned(cell, null, seed, seconds, false));
            }
            for (String name : rounds) {
                runs.add(new Planned(name, null, seed, seconds, true));
            }
            for (Mutant mutant : seed == 1 ? mutants : List.<Mutant>of()) {
                runs.add(new Planned(
                        mutant.cell(),
                        mutant.label(),
                        seed,
                        Math.min(seconds, MUTANT_SECONDS),
                        BY_TIME.containsAll(mutant.rules())));
            }
        }
        return new Plan(List.copyOf(runs), library);
    }

    /** Returns the runs without a record. */
    List<Planned> left(List<RunRecord> records) {
        return runs.stream()
                .filter(run -> records.stream().noneMatch(other -> other.does(run, library.in(run.cell()))))
                .toList();
    }

    /** Returns the runs without a record and the failed runs. */
    List<Planned> leftOrFailed(List<RunRecord> records) {
        return left(records.stream().filter(run -> run.outcome().wentWell()).toList());
    }

    /** Returns the failed runs. */
    List<Planned> failed(List<RunRecord> records) {
        List<RunRecord> bad =
                records.stream().filter(run -> !run.outcome().wentWell()).toList();
        return runs.stream()
                .filter(run -> bad.stream().anyMatch(other -> other.does(run, library.in(run.cell()))))
                .toList();
    }
}
