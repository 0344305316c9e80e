// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/**
 * The records of a file, one per line, by cell, mutant and seed. For each cell it keeps records of only one library:
 * the first record of another library replaces all of them. Thread-safe within one process.
 */
final class Records {

    private static final Comparator<RunRecord> ORDER = Comparator.comparing(
                    (RunRecord run) -> Objects.requireNonNullElse(run.mutant(), ""))
            .thenComparing(RunRecord::cell)
            .thenComparing(run -> Objects.requireNonNullElse(run.seed(), 0L));

    private final JsonMapper json = new JsonMapper();
    private final Path file;
    private final List<RunRecord> all = new ArrayList<>();

    /** Reads the records of a file; none if the file does not exist. */
    Records(Path file) throws IOException {
        this.file = file;
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                all.add(json.readValue(line, RunRecord.class));
            }
        }
    }

    synchronized List<RunRecord> all() {
        return List.copyOf(all);
    }

    /** Adds a record, which is in the file when this returns. */
    synchronized void add(RunRecord run) throws IOException {
        all.removeIf(other -> other.isOf(run.cell(), run.mutant())
                && (!Objects.equals(other.library(), run.library()) || Objects.equals(other.seed(), run.seed())));
        all.add(run);
        all.sort(ORDER);
        Path written = file.resolveSibling(file.getFileName() + ".new");
        Files.write(written, all.stream().map(json::writeValueAsString).toList());
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
