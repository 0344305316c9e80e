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
 * Runs as lines of JSON, behind a line that says where and with what they were made. A run takes the place of the one
 * before it of the same round, and of a workload that was measured on another library, or otherwise, nothing stays; the
 * rest does. The file is replaced as a whole, so that one that cannot be written to its end leaves the one before.
 */
public final class ResultFile {

    private static final JsonMapper MAPPER = new JsonMapper();

    private final Path path;

    public ResultFile(Path path) {
        this.path = path;
    }

    /** Returns the runs kept so far. */
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

    /** Adds runs, and answers all that are kept then, in the order of the workloads' names. */
    public List<Run> merge(List<Run> added, Map<String, String> machine) {
        List<Run> runs = new ArrayList<>(read());
        runs.removeIf(old -> added.stream().anyMatch(run -> takesThePlaceOf(run, old)));
        runs.addAll(added);
        runs.sort(Comparator.comparing(Run::workload).thenComparing(Run::round));
        write(MAPPER.writeValueAsString(Map.of("machine", machine)), runs);
        return runs;
    }

    /** Drops runs, so that they are measured anew. */
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
