// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.check.Rule;
import io.delayqueue.faults.check.Verdict;
import io.delayqueue.faults.mutant.Mutant;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a cell, of rounds or of a mutant, without the proofs.
 *
 * @param ending the outcome in one word
 * @param servers kinds and versions of the servers; null if the run ended early or does not report them
 * @param figures the figures; null if the run ended early, or has other figures
 * @param broken the broken rules, in their order
 * @param findings the first findings, or the reason why the run could not be made; one line, without the name of its
 *     folder, because outcomes are published
 * @param line the whole outcome in one line
 */
public record Outcome(
        Ending ending,
        @Nullable String servers,
        @Nullable Figures figures,
        List<Rule> broken,
        List<String> findings,
        String line) {

    private static final int MOST_FINDINGS = 5;

    /** The possible ends of a run. */
    public enum Ending {
        /** The unchanged library kept all guarantees. */
        KEPT,
        /** The unchanged library broke a guarantee. */
        BROKEN,
        /** The mutant broke a rule that it was made to break. */
        CONVICTED,
        /** The mutant broke none of these rules. */
        ACQUITTED,
        /** The run could not be made. */
        FAILED
    }

    static Outcome of(CellResult result) {
        Verdict verdict = result.verdict();
        return of(verdict.isAcquitted() ? Ending.KEPT : Ending.BROKEN, result.versions(), verdict);
    }

    static Outcome of(Mutant mutant, CellResult result) {
        return of(ending(mutant, result.verdict().broken()), result.versions(), result.verdict());
    }

    private static Outcome of(Ending ending, String servers, Verdict verdict) {
        List<String> findings = verdict.findings().stream()
                .limit(MOST_FINDINGS)
                .map(finding -> finding.rule() + " " + finding.queue() + " " + finding.id() + ": " + finding.what())
                .toList();
        return new Outcome(
                ending, servers, Figures.of(verdict), List.copyOf(verdict.broken()), findings, verdict.line());
    }

    static Outcome of(Mutant mutant, RoundsRun rounds) {
        return of(ending(mutant, rounds.broken()), mutant.label(), rounds);
    }

    /** @param name name of these rounds */
    static Outcome of(String name, RoundsRun rounds) {
        return of(rounds.findings().isEmpty() ? Ending.KEPT : Ending.BROKEN, name, rounds);
    }

    private static Outcome of(Ending ending, String name, RoundsRun rounds) {
        if (rounds.line().isEmpty()) {
            return failed(name, "the rounds came to no verdict");
        }
        List<String> findings = rounds.findings().stream().limit(MOST_FINDINGS).toList();
        return new Outcome(ending, null, null, rounds.broken(), findings, rounds.line());
    }

    private static Ending ending(Mutant mutant, Collection<Rule> broken) {
        return broken.stream().anyMatch(mutant.rules()::contains) ? Ending.CONVICTED : Ending.ACQUITTED;
    }

    /** Returns the outcome of a run that could not be made. */
    public static Outcome failed(String name, String why) {
        String here = Path.of("").toAbsolutePath() + "/";
        String line = why.lines().findFirst().orElse("").replace(here, "");
        return new Outcome(
                Ending.FAILED,
                null,
                null,
                List.of(),
                List.of(line),
                String.format("%-28s FAIL could not be run: %s", name, line));
    }

    /** Returns whether the run succeeded. */
    public boolean wentWell() {
        return ending == Ending.KEPT || ending == Ending.CONVICTED;
    }

    /** Returns whether a busy machine may be the only cause. */
    public boolean mayBeTheMachine() {
        return ending == Ending.FAILED || ending == Ending.BROKEN && broken.equals(List.of(Rule.LATE));
    }
}
