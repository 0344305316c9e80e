// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.time.Instant;
import java.util.List;

/**
 * One JVM's part of a sitting.
 *
 * @param workload what was done
 * @param subject by what
 * @param variant of Redis: {@code none}, {@code everysec} or {@code cluster}, or of the database beside it
 * @param round in which the subjects took turns, from 1
 * @param library the last commit that changed what was measured, with a plus where it was changed since, as
 *     {@link Libraries} names it
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

    /** All of them. */
    public static final List<String> VARIANTS = List.of(NONE, EVERYSEC, CLUSTER, POSTGRES, MARIADB);

    /** What is added to the name of a metric, so that only what was measured on the same Redis is compared. */
    public static String suffix(String variant) {
        return switch (variant) {
            case EVERYSEC -> ", AOF everysec";
            case CLUSTER -> ", cluster";
            case POSTGRES -> ", PostgreSQL";
            case MARIADB -> ", MariaDB";
            default -> "";
        };
    }

    /** Runs that were kept before libraries and machines were told apart have none. */
    public Run {
        library = library == null ? "unknown" : library;
        harness = harness == null ? "unknown" : harness;
        processor = processor == null ? "unknown" : processor;
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
                Libraries.in(workload, library, Machine.outbox()),
                harness,
                Machine.processor(),
                at,
                load,
                stolen,
                outcome);
    }

    /**
     * Whether this was measured on a library, with the outbox that is here, by what measures now; neither of which anybody has
     * changed since it was committed.
     *
     * @param otherLibrary without the outbox
     */
    public boolean isOf(String otherLibrary, String otherHarness) {
        return isCommitted(Libraries.in(workload, otherLibrary, Machine.outbox()), otherHarness);
    }

    /** Whether the same was measured by the same. */
    boolean isOfThatOf(Run other) {
        return isCommitted(other.library, other.harness);
    }

    private boolean isCommitted(String otherLibrary, String otherHarness) {
        return library.equals(otherLibrary)
                && harness.equals(otherHarness)
                && !library.contains("+")
                && !harness.contains("+");
    }

    /** Whether its values do not count. */
    public boolean hasProblems() {
        return !outcome.problems().isEmpty();
    }

    String metricName(String metric) {
        return metric + suffix(variant);
    }
}
