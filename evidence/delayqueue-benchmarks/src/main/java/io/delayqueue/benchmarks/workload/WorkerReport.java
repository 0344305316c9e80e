// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a worker, or all of them, did with a flood.
 *
 * @param arrived tasks handled
 * @param firstAt when the first was, epoch microseconds
 * @param lastAt when the last was
 * @param empty acquires that brought nothing
 * @param cpuMicros processor time from the first on
 * @param compiledMicros how much of that time, at most, the JVM's compilers worked
 */
record WorkerReport(long arrived, long firstAt, long lastAt, long empty, long cpuMicros, long compiledMicros) {

    static final WorkerReport NONE = new WorkerReport(0, Long.MAX_VALUE, 0, 0, 0, 0);

    private static final String MARK = "REPORT";

    WorkerReport plus(WorkerReport other) {
        return new WorkerReport(
                arrived + other.arrived,
                Math.min(firstAt, other.firstAt),
                Math.max(lastAt, other.lastAt),
                empty + other.empty,
                cpuMicros + other.cpuMicros,
                compiledMicros + other.compiledMicros);
    }

    double rate() {
        return (arrived == 0) ? 0 : arrived * 1e6 / micros();
    }

    /** Microseconds from the first to the last. */
    long micros() {
        return Math.max(1, lastAt - firstAt);
    }

    Effort effort() {
        return new Effort(cpuMicros, compiledMicros);
    }

    String line() {
        return Stream.of(arrived, firstAt, lastAt, empty, cpuMicros, compiledMicros)
                .map(String::valueOf)
                .collect(Collectors.joining(" ", MARK + " ", ""));
    }

    static boolean isLine(String line) {
        return line.startsWith(MARK);
    }

    static WorkerReport of(String line) {
        long[] parts =
                Stream.of(line.split(" ")).skip(1).mapToLong(Long::parseLong).toArray();
        return new WorkerReport(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
    }
}
