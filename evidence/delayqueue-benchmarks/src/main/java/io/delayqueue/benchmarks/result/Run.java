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
 * @param library the last commit that changed what was measured, with a plus where it was changed since
 * @param at when it began
 * @param load the machine's load average then: of a quiet machine it is below 1
 * @param outcome what was measured
 */
public record Run(
        String workload,
        String subject,
        String variant,
        int round,
        String library,
        Instant at,
        double load,
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

    /** Runs that were kept before libraries were told apart have none. */
    public Run {
        library = library == null ? "unknown" : library;
    }

    /** Whether the same was measured, of a library that nobody has changed since it was committed. */
    public boolean isOf(String otherLibrary) {
        return library.equals(otherLibrary) && !library.endsWith("+");
    }

    String metricName(String metric) {
        return metric + suffix(variant);
    }
}
