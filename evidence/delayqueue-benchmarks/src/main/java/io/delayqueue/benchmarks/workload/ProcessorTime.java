// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The processor time of this JVM. Of the whole process it is told in steps of 10 ms, the user's and the system's each,
 * and an idle second takes hardly more. Linux tells what each thread has taken in nanoseconds, but of none that has
 * ended: what those took is added as soon as it shows in the process's time.
 */
final class ProcessorTime {

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final boolean IS_TOLD = Files.isReadable(Path.of("/proc/self/schedstat"));

    /** The process's time is told too low by less than this. */
    private static final long CUT = 20_000_000;

    private static final ProcessorTime OF_THIS_JVM = new ProcessorTime();

    private long ofEnded;
    private long last;

    private ProcessorTime() {
        correct(PROCESS.getProcessCpuTime(), ofLiving());
    }

    /**
     * Nanoseconds since it started, and up to 20 ms more, the same between two calls unless a thread has ended; in
     * steps where the system is not Linux. Never fewer than before.
     */
    static long nanos() {
        return OF_THIS_JVM.read();
    }

    private synchronized long read() {
        long ofProcess = PROCESS.getProcessCpuTime();
        if (!IS_TOLD) {
            return ofProcess;
        }
        long ofLiving = ofLiving();
        if (ofLiving + ofEnded < ofProcess) {
            correct(ofProcess, ofLiving);
        }
        last = Math.max(last, ofLiving + ofEnded);
        return last;
    }

    /** To as much as it may be: so what was cut never looks like a thread that has ended, and differences are exact. */
    private void correct(long ofProcess, long ofLiving) {
        ofEnded = ofProcess + CUT - ofLiving;
    }

    private static long ofLiving() {
        try (Stream<Path> threads = Files.list(THREADS)) {
            return threads.mapToLong(ProcessorTime::ofOne).sum();
        } catch (IOException ex) {
            return 0;
        }
    }

    /** 0 of a thread that has just ended. */
    private static long ofOne(Path thread) {
        try {
            String line = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(line, 0, line.indexOf(' '), 10);
        } catch (IOException ex) {
            return 0;
        }
    }
}
