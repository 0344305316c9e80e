// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The share of processor time that the host of a virtual machine has given to others since the creation of this object,
 * as counted by Linux in {@code /proc/stat}. Zero on other systems.
 */
final class StolenTime {

    private static final Path STAT = Path.of("/proc/stat");

    /** The index of the eighth number, after user, nice, system, idle, iowait, irq and softirq. */
    private static final int STEAL = 7;

    private final long[] before = read();

    /** Returns the share, from 0 to 1. */
    double share() {
        return share(before, read());
    }

    static double share(long[] before, long[] now) {
        long all = LongStream.of(now).sum() - LongStream.of(before).sum();
        return all <= 0 ? 0 : (double) (now[STEAL] - before[STEAL]) / all;
    }

    private static long[] read() {
        try (Stream<String> lines = Files.lines(STAT)) {
            return lines.filter(line -> line.startsWith("cpu "))
                    .findFirst()
                    .map(StolenTime::numbers)
                    .orElseGet(() -> new long[STEAL + 1]);
        } catch (IOException ex) {
            return new long[STEAL + 1];
        }
    }

    /**
     * Returns the first eight numbers of a line such as {@code cpu  10 0 5 100 1 0 0 2 0 0}. The last two are already
     * included in the first one.
     */
    static long[] numbers(String line) {
        return Stream.of(line.trim().split("\\s+"))
                .skip(1)
                .limit(STEAL + 1)
                .mapToLong(Long::parseLong)
                .toArray();
    }
}
