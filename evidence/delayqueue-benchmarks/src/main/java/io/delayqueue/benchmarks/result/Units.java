// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

/** What values are counted in. */
final class Units {

    private Units() {}

    static String of(String workload, String metric) {
        if (metric.startsWith("empty acquires")) {
            return "calls a task";
        }
        if (metric.startsWith("CPU of ") || metric.startsWith("compilers' part")) {
            return "us a task";
        }
        if (metric.startsWith("processors busy")) {
            return "processors";
        }
        if (metric.contains("sent a second")) {
            return "tasks/s";
        }
        return switch (workload) {
            case "W3", "W9" -> metric.startsWith("early") ? "tasks" : metric.startsWith("threads") ? "threads" : "ms";
            case "W10" -> ofNeighbours(metric);
            case "W4" -> metric.contains("CPU") ? "ms of CPU/s" : "commands/s";
            case "W11" -> "ms";
            case "W5" -> "bytes";
            case "W12" -> "transactions/s";
            case "W13" -> "ms";
            case "W15" -> metric.startsWith("CPU") ? "ms of CPU/s" : "queries/s";
            default -> "tasks/s";
        };
    }

    /** Of a unit, or nothing where neither more nor less is better. */
    static String better(String unit) {
        return switch (unit) {
            case "tasks/s", "transactions/s" -> "more";
            case "processors" -> "";
            default -> "less";
        };
    }

    private static String ofNeighbours(String metric) {
        if (metric.endsWith("rate")) {
            return "tasks/s";
        }
        return metric.contains("heap") ? "MiB" : metric.contains("scripts over") ? "calls" : "ms";
    }
}
