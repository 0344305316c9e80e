// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    /**
     * Adds entries that somebody else than their processes knows.
     *
     * @param name of the file, which no process has
     */
    public static void add(Path folder, String name, List<Entry> entries) {
        EntryFormat format = new EntryFormat();
        try (OutputStream file = Files.newOutputStream(
                folder.resolve(name + HistoryWriter.SUFFIX), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (Entry entry : entries) {
                file.write(format.line(entry));
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
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
