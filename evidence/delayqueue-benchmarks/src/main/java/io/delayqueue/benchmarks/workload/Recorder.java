// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.result.Outcome;
import io.delayqueue.benchmarks.server.CommandCount;
import io.delayqueue.benchmarks.server.RedisGauge;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the measurements of a workload. Used by one thread. */
public final class Recorder {

    private final RedisGauge redis;
    private final Map<String, Double> metrics = new LinkedHashMap<>();
    private final Map<String, List<Double>> samples = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private long sent;
    private long delivered;
    private Map<String, CommandCount> before = Map.of();
    private Map<String, CommandCount> during = Map.of();
    private long from;
    private long to;

    public Recorder(RedisGauge redis) {
        this.redis = redis;
    }

    RedisGauge redis() {
        return redis;
    }

    /** Records the beginning of the first measured part. */
    void begin() {
        if (from == 0) {
            before = redis.commands();
            from = System.currentTimeMillis();
        }
    }

    /** Records the end of a measured part. */
    void end() {
        to = System.currentTimeMillis();
        during = CommandCount.between(before, redis.commands());
    }

    void metric(String name, double value) {
        metrics.put(name, value);
        // This line in the log shows the progress of the run.
        System.out.println(name + ": " + value);
    }

    /** Records the median of several measurements, and all of them in order. */
    void metric(String name, double median, List<Double> measured) {
        samples.put(name, List.copyOf(measured));
        metric(name, median);
    }

    /** Compares the scheduled tasks with those that arrived or were stored. */
    void count(String what, long tasksSent, long tasksDelivered) {
        sent += tasksSent;
        delivered += tasksDelivered;
        if (tasksSent != tasksDelivered) {
            problem(what + ": " + tasksDelivered + " of " + tasksSent + " tasks");
        }
    }

    void problem(String problem) {
        problems.add(problem);
    }

    public Outcome outcome() {
        return new Outcome(metrics, samples, sent, delivered, problems, during, from, to);
    }
}
