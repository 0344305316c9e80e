// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.time.Instant;
import java.util.Set;

/**
 * The run of one JVM in a sitting.
 *
 * @param workload the workload
 * @param subject the measured subject
 * @param variant variant of Redis ({@code none}, {@code everysec} or {@code cluster}), or of the database used with it
 * @param round the number of the round, from 1; in each round the subjects took turns
 * @param library the last commit that changed the measured code, with a plus if there were uncommitted changes, as
 *     {@link #libraryOf} names it
 * @param harness the last commit that changed the benchmark's own code, in the same form
 * @param processor the processor and its number of cores; only rounds of one machine can be compared by values
 * @param at beginning of the run
 * @param load the machine's load average at that time, below 1 on a quiet machine
 * @param stolen the share of processor time that the host of a virtual machine gave to others during the run, from 0 to
 *     1
 * @param outcome the measurements
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

    /** Redis without persistence. */
    public static final String NONE = "none";

    /** Redis with an append-only file that is flushed every second. */
    public static final String EVERYSEC = "everysec";

    /** A Redis Cluster of three masters, without persistence. */
    public static final String CLUSTER = "cluster";

    /** Redis without persistence, with a PostgreSQL. */
    public static final String POSTGRES = "postgres";

    /** Redis without persistence, with a MariaDB. */
    public static final String MARIADB = "mariadb";

    private static final Set<String> WITH_OUTBOX = Set.of("W12", "W13", "W14", "W15");

    /**
     * Returns the library that a workload uses: the last commit that changed it, without the outbox module, for example
     * {@code 6758fe65}. For workloads with an outbox, adds the last commit of the outbox module: {@code
     * 6758fe65/9e6f9b7d}.
     */
    static String libraryOf(String workload, String library, String outbox) {
        return WITH_OUTBOX.contains(workload) && !outbox.isEmpty() ? library + "/" + outbox : library;
    }

    /**
     * Creates a run that was made on this machine.
     *
     * @param library the library without the outbox, which is added if the workload has one
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
     * Returns whether this run measured this library with the current outbox and the current harness, all without
     * uncommitted changes.
     *
     * @param otherLibrary the library without the outbox
     */
    public boolean isOf(String otherLibrary, String otherHarness) {
        return isCommitted(libraryOf(workload, otherLibrary, Machine.outbox()), otherHarness);
    }

    /** Returns whether both runs measured the same code with the same harness. */
    boolean isOfThatOf(Run other) {
        return isCommitted(other.library, other.harness);
    }

    private boolean isCommitted(String otherLibrary, String otherHarness) {
        return library.equals(otherLibrary)
                && harness.equals(otherHarness)
                && !library.contains("+")
                && !harness.contains("+");
    }

    /** Returns whether the values of this run do not count. */
    public boolean hasProblems() {
        return !outcome.problems().isEmpty();
    }
}
