// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

/** What values are counted in. */
final class Units {

    private Units() {}

    static String of(String workload, String metric) {
        if (metric.startsWith("empty acquires")) {
            return "calls a task";
        }
        return switch (workload) {
            case "W3" -> metric.equals("early") ? "tasks" : "ms";
            case "W4" -> metric.contains("CPU") ? "ms of CPU/s" : "commands/s";
            case "W5" -> "bytes";
            default -> "tasks/s";
        };
    }
}
