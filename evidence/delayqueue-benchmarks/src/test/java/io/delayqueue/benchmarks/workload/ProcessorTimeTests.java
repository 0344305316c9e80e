// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class ProcessorTimeTests {

    /** Steps of the process's time, of the user and of the system. */
    private static final long STEPS = 20_000_000;

    @Test
    void nanosWhenAThreadWasBusyAndHasEndedHasItsTime() throws InterruptedException {
        long before = ProcessorTime.nanos();
        long[] took = new long[1];
        Thread busy = new Thread(() -> took[0] = work(200_000_000));
        busy.start();
        busy.join();

        assertThat(ProcessorTime.nanos() - before).isGreaterThan(took[0] - 2 * STEPS);
    }

    @Test
    void nanosWhenReadOftenIsNoMoreThanTheProcessTookAndNeverLessThanBefore() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long first = ProcessorTime.nanos();
        long processBefore = system.getProcessCpuTime();
        long last = first;
        for (int i = 0; i < 50; i++) {
            work(1_000_000);
            long now = ProcessorTime.nanos();
            assertThat(now).isGreaterThanOrEqualTo(last);
            last = now;
        }

        assertThat(last - first).isLessThan(system.getProcessCpuTime() - processBefore + 2 * STEPS);
    }

    /** Works until this thread has used this much processor time, and returns the used time. */
    private static long work(long nanos) {
        var threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime();
        long took = 0;
        while (took < nanos) {
            took = threads.getCurrentThreadCpuTime() - began;
        }
        return took;
    }
}
