// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import io.delayqueue.benchmarks.server.CommandCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The measurements of one JVM.
 *
 * @param metrics values by name
 * @param samples the measured values in order, for metrics that are medians
 * @param sent number of tasks scheduled in the measured parts
 * @param delivered number of these tasks that arrived; if none should arrive, the number that are stored correctly
 * @param problems reasons why the values do not count; empty if they count
 * @param commands Redis commands during the measurement
 * @param from beginning of the first measured part, epoch milliseconds
 * @param to end of the last measured part
 */
public record Outcome(
        Map<String, Double> metrics,
        Map<String, List<Double>> samples,
        long sent,
        long delivered,
        List<String> problems,
        Map<String, CommandCount> commands,
        long from,
        long to) {

    /** Creates an outcome without samples. */
    public Outcome(
            Map<String, Double> metrics,
            long sent,
            long delivered,
            List<String> problems,
            Map<String, CommandCount> commands,
            long from,
            long to) {
        this(metrics, Map.of(), sent, delivered, problems, commands, from, to);
    }

    /** Returns this outcome with another problem. */
    public Outcome with(String problem) {
        List<String> all = new ArrayList<>(problems);
        all.add(problem);
        return new Outcome(metrics, samples, sent, delivered, all, commands, from, to);
    }

    /** Returns the outcome for a JVM that ended without an outcome. */
    public static Outcome failed(String problem) {
        return new Outcome(Map.of(), 0, 0, List.of(problem), Map.of(), 0, 0);
    }
}
