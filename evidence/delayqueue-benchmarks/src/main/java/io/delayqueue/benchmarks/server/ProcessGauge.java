// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import java.time.Duration;
import java.util.stream.Stream;

/** Measures the processor time of a process on this machine and of its descendants, with a resolution of 10 ms. */
public final class ProcessGauge {

    private final ProcessHandle process;

    /** @param process id of a running process of this user */
    public ProcessGauge(long process) {
        this.process = ProcessHandle.of(process)
                .orElseThrow(() -> new IllegalArgumentException("There is no process " + process));
    }

    /** Returns the processor time of the process and its running descendants, in microseconds. */
    public long cpuMicros() {
        return Stream.concat(Stream.of(process), process.descendants())
                        .map(one -> one.info().totalCpuDuration().orElse(Duration.ZERO))
                        .mapToLong(Duration::toNanos)
                        .sum()
                / 1000;
    }
}
