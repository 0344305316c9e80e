// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What is written down while a run goes on, so that one that is broken off leaves all that it had. For use by many threads. */
final class SoakRecord {

    private final JsonMapper json = new JsonMapper();
    private final Path folder;

    SoakRecord(Path folder) {
        this.folder = folder;
    }

    /** Forgets an earlier run. */
    void begin() throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    /** A file beside the record. */
    Path file(String name) {
        return folder.resolve(name);
    }

    void write(RunFacts facts) {
        append("run.jsonl", facts);
    }

    void write(Sample sample) {
        append("samples.jsonl", sample);
    }

    /** Written when it begins and again when it has ended. */
    void write(Disturbance fault) {
        append("faults.jsonl", fault);
    }

    void write(Judgement judgement) {
        append("judgement.jsonl", judgement);
    }

    /** What the run is; null if none was begun. */
    @Nullable
    RunFacts facts() {
        return last(read("run.jsonl", RunFacts.class));
    }

    List<Sample> samples() {
        return read("samples.jsonl", Sample.class);
    }

    List<Disturbance> faults() {
        Map<Long, Disturbance> faults = new LinkedHashMap<>();
        read("faults.jsonl", Disturbance.class).forEach(fault -> faults.put(fault.from(), fault));
        return List.copyOf(faults.values());
    }

    /** What the checker said; null if it did not come to that. */
    @Nullable
    Judgement judgement() {
        return last(read("judgement.jsonl", Judgement.class));
    }

    private static <T> @Nullable T last(List<T> all) {
        return all.isEmpty() ? null : all.get(all.size() - 1);
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
            // the end of the process may have cut off the last line
            text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(line -> all.add(json.readValue(line, type)));
            return all;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
