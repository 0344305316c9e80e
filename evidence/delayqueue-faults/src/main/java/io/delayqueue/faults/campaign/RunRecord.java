// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import io.delayqueue.faults.cell.Outcome;
import io.delayqueue.faults.check.Rule;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a run of a campaign came to.
 *
 * @param cell its name, or that of rounds
 * @param description of the cell; null for rounds and mutants
 * @param loss what a failover in this cell may lose; null if it may lose nothing
 * @param mutant the label of the library that was run in it; null: the library as it is
 * @param seed of the run; null if none was written down
 * @param seconds how long it was to be
 * @param library that was run, as {@link LibraryCommits} names it; null if it was not written down
 * @param commit that was checked out; null if it was not written down
 * @param day of the run, UTC, as {@code 2026-11-23}
 * @param outcome of it
 * @param notes what else has to be known, such as an earlier run that this one takes the place of
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

    /** Returns whether it is of the same cell and the same mutant or none. */
    boolean isOf(String otherCell, @Nullable String otherMutant) {
        return cell.equals(otherCell) && Objects.equals(mutant, otherMutant);
    }

    /** Returns whether it is a run of this kind with this seed, on this library. */
    boolean is(Planned planned, String ofLibrary) {
        return isOf(planned.cell(), planned.mutant())
                && Objects.equals(seed, planned.seed())
                && ofLibrary.equals(library);
    }

    /** Returns how it went wrong, for the notes of the run that takes its place. */
    String asEarlier() {
        String why = outcome.broken().isEmpty()
                ? String.join("; ", outcome.findings())
                : outcome.broken().stream().map(Rule::name).collect(Collectors.joining(", "));
        return "before, on " + day + ", " + outcome.ending() + ": " + why;
    }

    /** Returns whether nothing is left to do, for it was on this library, as it was committed, for long enough. */
    boolean does(Planned planned, String ofLibrary) {
        return is(planned, ofLibrary) && !ofLibrary.contains("+") && seconds >= planned.seconds();
    }
}
