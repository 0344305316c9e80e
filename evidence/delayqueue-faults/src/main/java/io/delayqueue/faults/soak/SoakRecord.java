// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.check.CheckSettings.Window;
import io.delayqueue.faults.check.Lateness;
import io.delayqueue.faults.check.LatenessOverTime;
import io.delayqueue.faults.history.Histories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The record of a run in progress. Written continuously, so that an interrupted run leaves all data up to its end.
 * Thread-safe.
 */
final class SoakRecord {

    private final JsonMapper json = new JsonMapper();
    private final Path folder;

    SoakRecord(Path folder) {
        this.folder = folder;
    }

    /** Deletes the record of an earlier run. */
    void begin() throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    /** Returns a file beside the record. */
    Path file(String name) {
        return folder.resolve(name);
    }

    void write(RunFacts facts) {
        append("run.jsonl", facts);
    }

    void write(Sample sample) {
        append("samples.jsonl", sample);
    }

    /** Writes a fault, when it begins and again when it has ended. */
    void write(Disturbance fault) {
        append("faults.jsonl", fault);
    }

    void write(Judgement judgement) {
        append("judgement.jsonl", judgement);
    }

    /** Writes the lateness of first attempts, by quarters of an hour. */
    void writeLateness(Path histories) {
        RunFacts facts = read("run.jsonl", RunFacts.class).get(0);
        List<Sample> samples = read("samples.jsonl", Sample.class);
        Map<Long, Disturbance> faults = new LinkedHashMap<>();
        read("faults.jsonl", Disturbance.class).forEach(fault -> faults.put(fault.from(), fault));
        long end = Math.min(
                facts.from() + facts.seconds() * 1_000_000,
                samples.get(samples.size() - 1).micros());
        Duration slice = SoakOptions.slice(Duration.ofSeconds(facts.seconds()));
        LatenessOverTime lateness = new LatenessOverTime(
                new Window(facts.from(), end),
                slice.toNanos() / 1000,
                faults.values().stream().map(Disturbance::window).toList());
        Histories.each(histories, lateness::add);
        lateness.slices()
                .forEach(each -> append(
                        "lateness.jsonl",
                        new LatenessSlice(slice.toSeconds(), Late.of(each.calm()), Late.of(each.all()))));
    }

    /**
     * A line with the lateness of first attempts.
     *
     * @param seconds length of the slice
     * @param calm lateness of attempts whose tasks were due without an effect of a fault
     * @param all lateness of all attempts
     */
    private record LatenessSlice(long seconds, Late calm, Late all) {}

    private record Late(int count, long p50Micros, long p99Micros, long maxMicros) {

        static Late of(Lateness lateness) {
            return new Late(
                    lateness.count(),
                    lateness.p50().toNanos() / 1000,
                    lateness.p99().toNanos() / 1000,
                    lateness.max().toNanos() / 1000);
        }
    }

    private synchronized void append(String name, Object line) {
        try {
            Files.writeString(
                    folder.resolve(name),
                    json.writeValueAsString(line) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private <T> List<T> read(String name, Class<T> type) {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            return List.of();
        }
        try {
            String text = Files.readString(file);
            List<T> all = new ArrayList<>();
            // The end of the process may have cut off the last line.
            text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(line -> all.add(json.readValue(line, type)));
            return all;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
