// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The processor time of this JVM. Of the whole process it is told in steps of 10 ms, the user's and the system's each, and
 * an idle second takes hardly more. Linux tells what each thread has taken in nanoseconds, but of none that has ended: what
 * those took is added as soon as it shows in the process's time.
 */
final class ProcessorTime {

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final boolean IS_TOLD = Files.isReadable(Path.of("/proc/self/schedstat"));

    private static final ProcessorTime OF_THIS_JVM = new ProcessorTime();

    private long ofEnded;
    private long last;

    private ProcessorTime() {}

    /** Nanoseconds since it started: where the system is not Linux, in steps. Never fewer than before. */
    static long nanos() {
        return OF_THIS_JVM.read();
    }

    private synchronized long read() {
        long ofProcess = PROCESS.getProcessCpuTime(); // cut to whole steps, so never too much
        if (!IS_TOLD) {
            return ofProcess;
        }
        long ofLiving = ofLiving();
        ofEnded = Math.max(ofEnded, ofProcess - ofLiving);
        last = Math.max(last, ofLiving + ofEnded);
        return last;
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
