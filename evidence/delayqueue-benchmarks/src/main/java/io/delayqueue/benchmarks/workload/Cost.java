// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a flood has cost.
 *
 * @param jvms of those that deliver
 * @param serverMicros processor time of each server, by its name; empty where it is not known of all
 */
record Cost(Effort jvms, Map<String, Long> serverMicros) {

    /** Of the same servers. */
    Cost since(Cost before) {
        Map<String, Long> spent = new TreeMap<>();
        serverMicros.forEach(
                (server, micros) -> spent.put(server, micros - before.serverMicros.getOrDefault(server, 0L)));
        return new Cost(jvms.since(before.jvms), spent);
    }

    /** By name: for each task, and in processors for as long as the flood took. */
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
