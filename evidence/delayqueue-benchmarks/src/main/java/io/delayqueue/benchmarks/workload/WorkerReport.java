// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The report of a worker, or of all workers, on a flood.
 *
 * @param tally the arrivals
 * @param empty number of acquires without tasks
 * @param effort the cost from the first task on
 */
record WorkerReport(Tally tally, long empty, Effort effort) {

    static final WorkerReport NONE = new WorkerReport(Tally.NONE, 0, new Effort(0, 0));

    private static final String MARK = "REPORT";

    WorkerReport plus(WorkerReport other) {
        return new WorkerReport(tally.plus(other.tally), empty + other.empty, effort.plus(other.effort));
    }

    String line() {
        return Stream.of(
                        tally.arrived(),
                        tally.firstAt(),
                        tally.lastAt(),
                        tally.marks(),
                        tally.wrong(),
                        empty,
                        effort.cpuMicros(),
                        effort.compiledMicros())
                .map(String::valueOf)
                .collect(Collectors.joining(" ", MARK + " ", ""));
    }

    static boolean isLine(String line) {
        return line.startsWith(MARK);
    }

    static WorkerReport of(String line) {
        long[] parts =
                Stream.of(line.split(" ")).skip(1).mapToLong(Long::parseLong).toArray();
        return new WorkerReport(
                new Tally(parts[0], parts[1], parts[2], parts[3], parts[4]), parts[5], new Effort(parts[6], parts[7]));
    }
}
