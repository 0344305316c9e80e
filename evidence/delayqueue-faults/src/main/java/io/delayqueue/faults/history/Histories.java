// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/** Reads what the processes of a run wrote. */
public final class Histories {

    private Histories() {}

    /**
     * Reads all histories of a folder. Entries of one process come in the order in which it wrote them, all of them in
     * that of their time.
     *
     * @throws IllegalStateException if a line other than the last of a process, which a kill may have cut off, cannot
     *     be read
     */
    public static List<Entry> read(Path folder) {
        EntryFormat format = new EntryFormat();
        List<Entry> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(HistoryWriter.SUFFIX))
                    .sorted()
                    .toList()) {
                readInto(all, file, format);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        all.sort(Comparator.comparingLong(Entry::micros)
                .thenComparing(Entry::process)
                .thenComparingLong(Entry::number));
        return all;
    }

    private static void readInto(List<Entry> all, Path file, EntryFormat format) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
        for (int i = 0; i < lines.size(); i++) {
            try {
                all.add(format.entry(lines.get(i)));
            } catch (JacksonException ex) {
                if (i < lines.size() - 1) {
                    throw new IllegalStateException(file + ", line " + (i + 1) + " cannot be read", ex);
                }
            }
        }
    }
}
