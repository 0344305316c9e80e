// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.lang.management.ManagementFactory;

/**
 * The cost of this JVM.
 *
 * @param cpuMicros processor time
 * @param compiledMicros elapsed time of its compilers, an upper bound of their processor time
 */
record Effort(long cpuMicros, long compiledMicros) {

    /** Maximum share of compilers in the processor time. A larger share means that the compilers have not finished. */
    private static final double COMPILING = 0.05;

    /** Returns the cost since the start. */
    static Effort now() {
        return new Effort(
                ProcessorTime.nanos() / 1000,
                ManagementFactory.getCompilationMXBean().getTotalCompilationTime() * 1000);
    }

    Effort plus(Effort other) {
        return new Effort(cpuMicros + other.cpuMicros, compiledMicros + other.compiledMicros);
    }

    /** Returns whether compilers took more than a small share of the time, so that the JVM is not warm yet. */
    boolean isCompiling() {
        return compiledMicros > COMPILING * cpuMicros;
    }

    Effort since(Effort before) {
        return new Effort(cpuMicros - before.cpuMicros, compiledMicros - before.compiledMicros);
    }
}
