// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures a JVM from outside, with Linux's data about the process and with {@code jcmd}. */
record ProcessGauge(long pid) {

    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
    private static final int SECONDS = 10;

    /** Takes a sample; null if there is no such process. */
    Sample.@Nullable OfProcess sample(int place, @Nullable Long liveHeap) {
        try {
            String status = Files.readString(Path.of("/proc/" + pid + "/status"));
            return new Sample.OfProcess(
                    place, pid, liveHeap, number(status, "Threads"), files(), number(status, "VmRSS"));
        } catch (IOException | IllegalStateException ex) {
            return null; // The process has ended.
        }
    }

    private long files() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.count();
        }
    }

    private static long number(String status, String name) {
        Matcher matcher = Pattern.compile("(?m)^" + name + ":\\s+(\\d+)").matcher(status);
        if (!matcher.find()) {
            throw new IllegalStateException("The process has no " + name);
        }
        return Long.parseLong(matcher.group(1));
    }

    /**
     * Makes the JVM collect all garbage, and returns the size of its live objects in bytes. The JVM pauses for some
     * tenths of a second.
     *
     * @param histogram file for the number of live objects per class
     * @return the figures; null if the JVM does not answer within ten seconds
     */
    @Nullable
    Long liveHeap(Path histogram) throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(pid),
                        "GC.class_histogram")
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(histogram.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            if (!jcmd.waitFor(SECONDS, TimeUnit.SECONDS) || jcmd.exitValue() != 0) {
                return null;
            }
        } finally {
            jcmd.destroyForcibly();
        }
        Matcher total = TOTAL.matcher(Files.readString(histogram));
        return total.find() ? Long.valueOf(total.group(1)) : null;
    }
}
