// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.lang.management.ManagementFactory;

/**
 * What this JVM has cost.
 *
 * @param cpuMicros processor time
 * @param compiledMicros time for which its compilers worked, on the clock: their processor time at most
 */
record Effort(long cpuMicros, long compiledMicros) {

    /** Compilers that take a larger share than this have not ended their work. */
    private static final double COMPILING = 0.05;

    /** Since it started. */
    static Effort now() {
        return new Effort(
                ProcessorTime.nanos() / 1000,
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime() * 1000);
    }

    Effort plus(Effort other) {
        return new Effort(cpuMicros + other.cpuMicros, compiledMicros + other.compiledMicros);
    }

    /** Returns whether compilers took more than a small share: a JVM that does that is not warm yet. */
    boolean isCompiling() {
        return compiledMicros > COMPILING * cpuMicros;
    }

    Effort since(Effort before) {
        return new Effort(cpuMicros - before.cpuMicros, compiledMicros - before.compiledMicros);
    }
}
