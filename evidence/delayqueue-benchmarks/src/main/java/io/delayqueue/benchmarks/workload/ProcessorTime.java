// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The processor time of this JVM. Linux reports the time of the whole process in steps of 10 ms, for user and system
 * each, and an idle second takes hardly more. It reports the time of each thread in nanoseconds, but not of ended
 * threads; their time is added as soon as it appears in the time of the process.
 */
final class ProcessorTime {

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final boolean IS_TOLD = Files.isReadable(Path.of("/proc/self/schedstat"));

    /** Upper bound of the error; the reported time of the process is too low by at most this much. */
    private static final long CUT = 20_000_000;

    private static final ProcessorTime OF_THIS_JVM = new ProcessorTime();

    private long ofEnded;
    private long last;

    private ProcessorTime() {
        correct(PROCESS.getProcessCpuTime(), ofLiving());
    }

    /**
     * Returns the nanoseconds since the start, plus up to 20 ms; the excess stays the same between two calls unless a
     * thread has ended. Has steps on systems other than Linux. Never decreases.
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

    /**
     * Raises the time to its maximum possible value, so that the missing part never looks like an ended thread and
     * differences are exact.
     */
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

    /** Returns 0 for a thread that has just ended. */
    private static long ofOne(Path thread) {
        try {
            String line = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(line, 0, line.indexOf(' '), 10);
        } catch (IOException ex) {
            return 0;
        }
    }
}
