// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import io.delayqueue.benchmarks.server.CommandCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What one JVM measured.
 *
 * @param metrics values by name
 * @param samples of metrics that are medians: of what, in the order in which they were measured
 * @param sent tasks that were scheduled in the measured parts
 * @param delivered of these, those that arrived, or are kept as they should be where nothing is to arrive
 * @param problems why the values do not count; empty when they do
 * @param commands of Redis, while it was measured
 * @param from when the first measured part began, epoch milliseconds
 * @param to when the last one ended
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

    /** Without samples. */
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

    /** With one more problem. */
    public Outcome with(String problem) {
        List<String> all = new ArrayList<>(problems);
        all.add(problem);
        return new Outcome(metrics, samples, sent, delivered, all, commands, from, to);
    }

    /** Of a JVM that ended without one. */
    public static Outcome failed(String problem) {
        return new Outcome(Map.of(), 0, 0, List.of(problem), Map.of(), 0, 0);
    }
}
