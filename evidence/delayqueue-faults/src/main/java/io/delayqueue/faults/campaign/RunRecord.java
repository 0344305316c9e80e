// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import io.delayqueue.faults.cell.Outcome;
import io.delayqueue.faults.check.Rule;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The record of one run of a campaign.
 *
 * @param cell name of the cell, or of the rounds
 * @param description description of the cell; null for rounds and mutants
 * @param loss what a failover in this cell may lose; null if it may lose nothing
 * @param mutant the label of the mutant that was run; null for the unchanged library
 * @param seed seed of the run; null if it was not recorded
 * @param seconds planned length
 * @param library the library that was run, as {@link LibraryCommits} names it; null if it was not recorded
 * @param commit the commit that was checked out; null if it was not recorded
 * @param day day of the run, UTC, such as {@code 2026-11-23}
 * @param outcome outcome of the run
 * @param notes further remarks, such as an earlier run that this one replaces
 */
record RunRecord(
        String cell,
        @Nullable String description,
        @Nullable String loss,
        @Nullable String mutant,
        @Nullable Long seed,
        int seconds,
        @Nullable String library,
        @Nullable String commit,
        String day,
        Outcome outcome,
        List<String> notes) {

    /** Returns whether this record belongs to this cell and this mutant, or to this cell without a mutant. */
    boolean isOf(String otherCell, @Nullable String otherMutant) {
        return cell.equals(otherCell) && Objects.equals(mutant, otherMutant);
    }

    /** Returns whether this is a record of the planned run with this library. */
    boolean is(Planned planned, String ofLibrary) {
        return isOf(planned.cell(), planned.mutant())
                && Objects.equals(seed, planned.seed())
                && ofLibrary.equals(library);
    }

    /** Returns a description of the failure, for the notes of the run that replaces this one. */
    String asEarlier() {
        String why = outcome.broken().isEmpty()
                ? String.join("; ", outcome.findings())
                : outcome.broken().stream().map(Rule::name).collect(Collectors.joining(", "));
        return "before, on " + day + ", " + outcome.ending() + ": " + why;
    }

    /**
     * Returns whether this record fulfils the planned run: it was made with this library, without uncommitted changes,
     * for long enough.
     */
    boolean does(Planned planned, String ofLibrary) {
        return is(planned, ofLibrary) && !ofLibrary.contains("+") && seconds >= planned.seconds();
    }
}
