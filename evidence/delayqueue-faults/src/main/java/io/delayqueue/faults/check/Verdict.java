// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The result of a run.
 *
 * @param cell name of the cell
 * @param scheduled versions whose storing was confirmed
 * @param unknown versions that may or may not have been stored
 * @param delivered versions that were delivered, at least once
 * @param dead versions that are dead
 * @param cancelled versions that a caller cancelled or replaced, with a confirmation
 * @param lost versions with none of these fates, outside every loss window
 * @param lossAllowed versions with none of these fates, within a loss window
 * @param explained duplicates with a known cause
 * @param unexplained duplicates without a known cause
 * @param early deliveries before their time
 * @param exempt ids with committed calls whose {@link Rule#COMMIT_ORDER} cannot be judged
 * @param lateness lateness of all first attempts
 * @param latenessAfter lateness of all attempts that could be made long enough after the last fault
 * @param recovery time from the end of the last fault until all tasks due by then had been attempted; null without a
 *     fault or without such tasks
 * @param findings the guarantees that were not kept
 */
public record Verdict(
        String cell,
        int scheduled,
        int unknown,
        int delivered,
        int dead,
        int cancelled,
        int lost,
        int lossAllowed,
        int explained,
        int unexplained,
        int early,
        int exempt,
        Lateness lateness,
        Lateness latenessAfter,
        @Nullable Duration recovery,
        List<Finding> findings) {

    /** Combines the verdicts of two portions of one run. The lateness is an upper bound, the higher value of both. */
    public Verdict and(Verdict other) {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(other.findings);
        return new Verdict(
                cell,
                scheduled + other.scheduled,
                unknown + other.unknown,
                delivered + other.delivered,
                dead + other.dead,
                cancelled + other.cancelled,
                lost + other.lost,
                lossAllowed + other.lossAllowed,
                explained + other.explained,
                unexplained + other.unexplained,
                early + other.early,
                exempt + other.exempt,
                lateness.and(other.lateness),
                latenessAfter.and(other.latenessAfter),
                longer(recovery, other.recovery),
                List.copyOf(all));
    }

    private static @Nullable Duration longer(@Nullable Duration one, @Nullable Duration other) {
        return (one == null || other != null && other.compareTo(one) > 0) ? other : one;
    }

    /** Returns whether every guarantee was kept. */
    public boolean isAcquitted() {
        return findings.isEmpty();
    }

    /** Returns the rules that were broken. */
    public Set<Rule> broken() {
        Set<Rule> rules = new TreeSet<>();
        findings.forEach(finding -> rules.add(finding.rule()));
        return rules;
    }

    /** Returns the run in one line. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%-28s %s scheduled %d (+%d unknown), delivered %d, dead %d, cancelled %d, lost %d%s, duplicates %d/%d"
                        + " explained/unexplained, early %d%s, lateness p50 %d p99 %d max %d ms, afterwards p99 %s%s",
                cell,
                isAcquitted() ? "ok  " : "FAIL",
                scheduled,
                unknown,
                delivered,
                dead,
                cancelled,
                lost,
                lossAllowed > 0 ? " (+" + lossAllowed + " allowed)" : "",
                explained,
                unexplained,
                early,
                exempt > 0 ? ", order of " + exempt + " ids not judged" : "",
                lateness.p50().toMillis(),
                lateness.p99().toMillis(),
                lateness.max().toMillis(),
                latenessAfter.count() > 0 ? latenessAfter.p99().toMillis() + " ms" : "-",
                isAcquitted() ? "" : ", broken " + broken());
    }
}
