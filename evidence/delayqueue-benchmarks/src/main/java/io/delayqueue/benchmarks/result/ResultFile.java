// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file with runs as lines of JSON, after a line that describes the machine and the software. A run replaces an
 * earlier run of the same round. Runs of the same workload with another library or another harness are removed; all
 * other runs stay. The file is replaced as a whole, so that the previous file remains if a write fails.
 */
public record ResultFile(Path path) {

    private static final JsonMapper MAPPER = new JsonMapper();

    /** Returns the stored runs. */
    public List<Run> read() {
        return lines().skip(1).map(line -> MAPPER.readValue(line, Run.class)).toList();
    }

    private Stream<String> lines() {
        try {
            return Files.exists(path) ? Files.readAllLines(path).stream() : Stream.of();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Adds runs, and returns all stored runs, ordered by the names of the workloads. */
    public List<Run> merge(List<Run> added, Map<String, String> machine) {
        List<Run> runs = new ArrayList<>(read());
        runs.removeIf(old -> added.stream().anyMatch(run -> takesThePlaceOf(run, old)));
        runs.addAll(added);
        runs.sort(Comparator.comparing(Run::workload).thenComparing(Run::round));
        write(MAPPER.writeValueAsString(Map.of("machine", machine)), runs);
        return runs;
    }

    /** Deletes runs, so that they are measured again. */
    public void forget(Predicate<Run> dropped) {
        List<Run> runs = read().stream().filter(dropped.negate()).toList();
        lines().findFirst().ifPresent(machine -> write(machine, runs));
    }

    private static boolean takesThePlaceOf(Run run, Run old) {
        boolean same = run.round() == old.round()
                && run.subject().equals(old.subject())
                && run.variant().equals(old.variant());
        return run.workload().equals(old.workload()) && (same || !run.isOfThatOf(old));
    }

    private void write(String machine, List<Run> runs) {
        Path unfinished = path.resolveSibling(path.getFileName() + ".unfinished");
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            Files.write(
                    unfinished,
                    Stream.concat(Stream.of(machine), runs.stream().map(MAPPER::writeValueAsString))
                            .toList());
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
