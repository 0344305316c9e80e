// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A target and how it went.
 *
 * @param target the target
 * @param own this library's values, or null if there are none
 * @param base the peer's values, or null if there are none or no peer
 * @param measured the values, the ratios or the differences, or null if it could not be judged
 */
record Verdict(
        Target target,
        @Nullable Summary own,
        @Nullable Summary base,
        @Nullable Summary measured) {

    private static final String NOT_MEASURED = "not measured";

    /** What could not be judged was missed. */
    boolean isMet() {
        return target.isOnlyShown() || measured != null && target.allows(measured.median());
    }

    /** Whether so much of what was measured is on either side of the bound that another sitting may say otherwise. */
    boolean isUndecided() {
        return measured != null && measured.lower() < target.bound() && target.bound() < measured.upper();
    }

    /** The row in words. */
    String row() {
        String text = (measured == null) ? NOT_MEASURED : beside(measured.median());
        return target.workload() + ", " + target.what() + ": " + text + ", must be " + target + undecided();
    }

    /**
     * The row in cells.
     *
     * @param isJudged whether to say that it was met or missed
     */
    List<String> cells(boolean isJudged) {
        List<String> cells = new ArrayList<>(List.of(target.workload(), target.what()));
        cells.add(own == null ? NOT_MEASURED : Numbers.text(own.median()));
        cells.add(base == null ? "" : Numbers.text(base.median()));
        if (measured == null) {
            cells.addAll(List.of(NOT_MEASURED, "", ""));
        } else {
            cells.addAll(List.of(beside(measured.median()), beside(measured.min()), beside(measured.max())));
        }
        cells.add(target.toString());
        cells.add(target.isOnlyShown() ? "" : isJudged ? word() : "not judged");
        return cells;
    }

    private String word() {
        return (isMet() ? "pass" : "**miss**") + undecided();
    }

    private String beside(double value) {
        return Numbers.beside(target.bound(), value);
    }

    private String undecided() {
        return isUndecided() ? " (undecided)" : "";
    }
}
