// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cost of a flood.
 *
 * @param jvms cost of the delivering JVMs
 * @param serverMicros processor time of each server by name; empty unless known for all
 */
record Cost(Effort jvms, Map<String, Long> serverMicros) {

    /** Returns the difference to an earlier cost of the same servers. */
    Cost since(Cost before) {
        Map<String, Long> spent = new TreeMap<>();
        serverMicros.forEach(
                (server, micros) -> spent.put(server, micros - before.serverMicros.getOrDefault(server, 0L)));
        return new Cost(jvms.since(before.jvms), spent);
    }

    /** Returns metrics by name: the cost per task, and the average number of processors during the flood. */
    Map<String, Double> metrics(long tasks, long tookMicros) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("CPU of the JVMs a task", jvms.cpuMicros() / (double) tasks);
        metrics.put("compilers' part of it", jvms.compiledMicros() / (double) tasks);
        if (!serverMicros.isEmpty()) {
            serverMicros.forEach(
                    (server, micros) -> metrics.put("CPU of " + server + " a task", micros / (double) tasks));
            long servers =
                    serverMicros.values().stream().mapToLong(Long::longValue).sum();
            metrics.put("CPU of all a task", (jvms.cpuMicros() + servers) / (double) tasks);
            metrics.put("processors busy", (jvms.cpuMicros() + servers) / (double) tookMicros);
        }
        return metrics;
    }
}
