// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs as JSON. What was measured anew takes the place of what was before, and of a workload that was measured on another
 * library nothing stays; the rest does.
 */
public final class ResultFile {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

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
        runs.removeIf(old -> added.stream()
                .anyMatch(run -> run.workload().equals(old.workload())
                        && (!run.isOf(old.library())
                                || run.subject().equals(old.subject())
                                        && run.variant().equals(old.variant()))));
        runs.addAll(added);
        runs.sort(Comparator.comparing(Run::workload));
        try {
            Files.createDirectories(path.toAbsolutePath().getParent());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        MAPPER.writeValue(path, new Content(machine, runs));
        return runs;
    }

    record Content(Map<String, String> machine, List<Run> runs) {}
}
