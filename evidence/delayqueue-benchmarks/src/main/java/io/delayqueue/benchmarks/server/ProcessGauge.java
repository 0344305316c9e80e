// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import java.time.Duration;
import java.util.stream.Stream;

/** Tells what a process of this machine and those that it started have cost, to a hundredth of a second. */
public final class ProcessGauge {

    private final ProcessHandle process;

    /**
     * @param process id of one that runs and belongs to this user
     */
    public ProcessGauge(long process) {
        this.process = ProcessHandle.of(process)
                .orElseThrow(() -> new IllegalArgumentException("There is no process " + process));
    }

    /** Processor time that it and its descendants have taken, those that ended left out, microseconds. */
    public long cpuMicros() {
        return Stream.concat(Stream.of(process), process.descendants())
                        .map(one -> one.info().totalCpuDuration().orElse(Duration.ZERO))
                        .mapToLong(Duration::toNanos)
                        .sum()
                / 1000;
    }
}
