// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.time.Instant;

/**
 * One JVM's part of a sitting.
 *
 * @param workload what was done
 * @param subject by what
 * @param persistence of Redis: {@code none} or {@code everysec}
 * @param round of the sitting, from 1
 * @param at when it began
 * @param load the machine's load average then: of a quiet machine it is below 1
 * @param outcome what was measured
 */
public record Run(
        String workload, String subject, String persistence, int round, Instant at, double load, Outcome outcome) {

    /** Of Redis without persistence. */
    public static final String NONE = "none";

    /** Of Redis with an append-only file that is flushed every second. */
    public static final String EVERYSEC = "everysec";

    /** Runs of one workload that may be compared: the name of a metric says which persistence it was measured under. */
    String metricName(String metric) {
        return persistence.equals(NONE) ? metric : metric + ", AOF " + persistence;
    }
}
