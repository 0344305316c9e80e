// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.profile;

import io.delayqueue.benchmarks.result.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Prints where time and memory went between the begin and the end of what was measured. */
public final class Profile {

    private static final int LINES = 25;

    private Profile() {}

    /** Reads a flight recording, and what Redis counted. */
    public static void print(Path recording, Outcome outcome) {
        Map<String, Long> methods = new TreeMap<>();
        Map<String, Long> ours = new TreeMap<>();
        Map<String, Long> threads = new TreeMap<>();
        Map<String, Long> allocations = new TreeMap<>();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (isBetween(event.getStartTime(), outcome) && hasFrames(event)) {
                    switch (event.getEventType().getName()) {
                        case "jdk.ExecutionSample" -> {
                            methods.merge(top(event), 1L, Long::sum);
                            ours.merge(first(event), 1L, Long::sum);
                            threads.merge(threadOf(event), 1L, Long::sum);
                        }
                        case "jdk.ObjectAllocationSample" ->
                            allocations.merge(
                                    event.getClass("objectClass").getName() + " in " + first(event),
                                    event.getLong("weight"),
                                    Long::sum);
                        default -> {}
                    }
                }
            }
        } catch (IOException ex) {
            throw new UncheckedIOException("The recording " + recording + " could not be read", ex);
        }
        print("Methods on top, share of samples", methods);
        print("First method of this library below them, share of samples", ours);
        print("Threads, share of samples", threads);
        print("Allocations, share of bytes", allocations);
        commands(outcome);
    }

    private static boolean hasFrames(RecordedEvent event) {
        return event.getStackTrace() != null
                && !event.getStackTrace().getFrames().isEmpty();
    }

    private static boolean isBetween(Instant time, Outcome outcome) {
        long millis = time.toEpochMilli();
        return millis >= outcome.from() && millis <= outcome.to();
    }

    private static String top(RecordedEvent event) {
        return name(event.getStackTrace().getFrames().get(0));
    }

    private static String first(RecordedEvent event) {
        return event.getStackTrace().getFrames().stream()
                .map(Profile::name)
                .filter(name -> name.startsWith("io.delayqueue.") && !name.startsWith("io.delayqueue.benchmarks."))
                .findFirst()
                .orElse("(none) " + top(event));
    }

    private static String name(RecordedFrame frame) {
        return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
    }

    private static String threadOf(RecordedEvent event) {
        var thread = event.getThread("sampledThread");
        String name = (thread == null) ? null : thread.getJavaName();
        return (name == null) ? "(unknown)" : name;
    }

    private static void print(String title, Map<String, Long> counts) {
        long sum = counts.values().stream().mapToLong(Long::longValue).sum();
        System.out.println("  " + title + " (" + sum + "):");
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(LINES)
                .forEach(entry -> System.out.printf(
                        Locale.ROOT, "    %5.1f %%  %s%n", 100.0 * entry.getValue() / sum, entry.getKey()));
    }

    private static void commands(Outcome outcome) {
        System.out.println("  Redis, while it was measured (" + (outcome.to() - outcome.from())
                + " ms), and calls for each of " + outcome.sent() + " tasks:");
        outcome.commands().entrySet().stream()
                .sorted(Comparator.comparing(entry -> -entry.getValue().micros()))
                .forEach(entry -> System.out.printf(
                        Locale.ROOT,
                        "    %-18s %,12d calls  %,12d us  %8.4f a task%n",
                        entry.getKey(),
                        entry.getValue().calls(),
                        entry.getValue().micros(),
                        entry.getValue().calls() / (double) Math.max(1, outcome.sent())));
    }
}
