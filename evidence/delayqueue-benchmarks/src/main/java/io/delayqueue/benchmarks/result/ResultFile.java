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
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs as JSON. A run takes the place of the one before it of the same round, and of a workload that was measured on another
 * library, or otherwise, nothing stays; the rest does. The file is replaced as a whole, so that one that cannot be written
 * to its end leaves the one before.
 */
public final class ResultFile {

    /** Earlier runs lack what was not yet kept of them. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private final Path path;

    public ResultFile(Path path) {
        this.path = path;
    }

    /** The runs kept so far. */
    public List<Run> read() {
        return Files.exists(path) ? MAPPER.readValue(path, Content.class).runs() : List.of();
    }

    /** Adds runs, and answers all that are kept then, in the order of the workloads' names. */
    public List<Run> merge(List<Run> added, Map<String, String> machine) {
        List<Run> runs = new ArrayList<>(read());
        runs.removeIf(old -> added.stream().anyMatch(run -> takesThePlaceOf(run, old)));
        runs.addAll(added);
        runs.sort(Comparator.comparing(Run::workload).thenComparing(Run::round));
        write(new Content(machine, runs));
        return runs;
    }

    /** Drops runs, so that they are measured anew. */
    public void forget(Predicate<Run> dropped) {
        if (Files.exists(path)) {
            Content content = MAPPER.readValue(path, Content.class);
            write(new Content(
                    content.machine(),
                    content.runs().stream().filter(dropped.negate()).toList()));
        }
    }

    private static boolean takesThePlaceOf(Run run, Run old) {
        boolean same = run.round() == old.round()
                && run.subject().equals(old.subject())
                && run.variant().equals(old.variant());
        return run.workload().equals(old.workload()) && (same || !run.isOfThatOf(old));
    }

    private void write(Content content) {
        Path unfinished = path.resolveSibling(path.getFileName() + ".unfinished");
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
            MAPPER.writeValue(unfinished, content);
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    record Content(Map<String, String> machine, List<Run> runs) {}
}
