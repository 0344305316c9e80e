// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

/**
 * What a worker, or all of them, did with a flood.
 *
 * @param arrived tasks handled
 * @param firstAt when the first was, epoch microseconds
 * @param lastAt when the last was
 * @param empty acquires that brought nothing
 */
record WorkerReport(long arrived, long firstAt, long lastAt, long empty) {

    static final WorkerReport NONE = new WorkerReport(0, Long.MAX_VALUE, 0, 0);

    private static final String MARK = "REPORT";

    WorkerReport plus(WorkerReport other) {
        return new WorkerReport(
                arrived + other.arrived,
                Math.min(firstAt, other.firstAt),
                Math.max(lastAt, other.lastAt),
                empty + other.empty);
    }

    double rate() {
        return (arrived == 0) ? 0 : arrived * 1e6 / Math.max(1, lastAt - firstAt);
    }

    String line() {
        return MARK + " " + arrived + " " + firstAt + " " + lastAt + " " + empty;
    }

    static boolean isLine(String line) {
        return line.startsWith(MARK);
    }

    static WorkerReport of(String line) {
        String[] parts = line.split(" ");
        return new WorkerReport(
                Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]), Long.parseLong(parts[4]));
    }
}
