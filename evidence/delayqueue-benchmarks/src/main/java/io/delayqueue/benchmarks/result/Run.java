// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.time.Instant;
import java.util.Set;

/**
 * One JVM's part of a sitting.
 *
 * @param workload what was done
 * @param subject by what
 * @param variant of Redis: {@code none}, {@code everysec} or {@code cluster}, or of the database beside it
 * @param round in which the subjects took turns, from 1
 * @param library the last commit that changed what was measured, with a plus where it was changed since, as
 *     {@link #libraryOf} names it
 * @param harness the same of what measures
 * @param processor of the machine, and how many cores it has: only rounds of one machine can be compared by values
 * @param at when it began
 * @param load the machine's load average then: of a quiet machine it is below 1
 * @param stolen which part of the processors' time the host of a virtual machine gave to others meanwhile, from 0 to 1
 * @param outcome what was measured
 */
public record Run(
        String workload,
        String subject,
        String variant,
        int round,
        String library,
        String harness,
        String processor,
        Instant at,
        double load,
        double stolen,
        Outcome outcome) {

    /** Of Redis without persistence. */
    public static final String NONE = "none";

    /** Of Redis with an append-only file that is flushed every second. */
    public static final String EVERYSEC = "everysec";

    /** Of a Redis Cluster of three masters, without persistence. */
    public static final String CLUSTER = "cluster";

    /** Of Redis without persistence, beside a PostgreSQL. */
    public static final String POSTGRES = "postgres";

    /** Of Redis without persistence, beside a MariaDB. */
    public static final String MARIADB = "mariadb";

    private static final Set<String> WITH_OUTBOX = Set.of("W12", "W13", "W14", "W15");

    /**
     * Returns a library as a workload runs it: the last commit that changed it, {@code 6758fe65}, without the module of
     * the outbox. Only the workloads with an outbox run that module, and name its last commit too: {@code
     * 6758fe65/9e6f9b7d}.
     */
    static String libraryOf(String workload, String library, String outbox) {
        return WITH_OUTBOX.contains(workload) && !outbox.isEmpty() ? library + "/" + outbox : library;
    }

    /**
     * One that was made on this machine.
     *
     * @param library without the outbox, which is added where the workload has one
     */
    public Run(
            String workload,
            String subject,
            String variant,
            int round,
            String library,
            String harness,
            Instant at,
            double load,
            double stolen,
            Outcome outcome) {
        this(
                workload,
                subject,
                variant,
                round,
                libraryOf(workload, library, Machine.outbox()),
                harness,
                Machine.processor(),
                at,
                load,
                stolen,
                outcome);
    }

    /**
     * Returns whether this was measured on a library, with the outbox that is here, by what measures now; neither of
     * which anybody has changed since it was committed.
     *
     * @param otherLibrary without the outbox
     */
    public boolean isOf(String otherLibrary, String otherHarness) {
        return isCommitted(libraryOf(workload, otherLibrary, Machine.outbox()), otherHarness);
    }

    /** Returns whether the same was measured by the same. */
    boolean isOfThatOf(Run other) {
        return isCommitted(other.library, other.harness);
    }

    private boolean isCommitted(String otherLibrary, String otherHarness) {
        return library.equals(otherLibrary)
                && harness.equals(otherHarness)
                && !library.contains("+")
                && !harness.contains("+");
    }

    /** Returns whether its values do not count. */
    public boolean hasProblems() {
        return !outcome.problems().isEmpty();
    }
}
