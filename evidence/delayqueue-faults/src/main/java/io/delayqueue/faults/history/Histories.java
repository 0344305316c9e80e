// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import java.io.BufferedReader;
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
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/** Reads the histories that the processes of a run wrote. */
public final class Histories {

    private Histories() {}

    /**
     * Reads all histories of a folder. Entries of one process are in the order of their writes, and all entries are in
     * order of time.
     *
     * @throws IllegalStateException if a line cannot be read, other than the last line of a process, which a kill may
     *     have cut off
     */
    public static List<Entry> read(Path folder) {
        return read(folder, Portion.ALL);
    }

    /** Reads the histories of a portion of the run, if the whole is too large. */
    public static List<Entry> read(Path folder, Portion portion) {
        List<Entry> all = new ArrayList<>();
        each(folder, new PortionFilter(portion, all::add));
        all.sort(Comparator.comparingLong(Entry::micros)
                .thenComparing(Entry::process)
                .thenComparingLong(Entry::number));
        return all;
    }

    /**
     * Passes all entries of a folder to a consumer without storing them: one process after the other, each in its own
     * order.
     */
    public static void each(Path folder, Consumer<Entry> taker) {
        EntryFormat format = new EntryFormat();
        try {
            for (Path file : files(folder)) {
                each(file, format, taker);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the size of all histories of a folder in bytes. */
    public static long bytes(Path folder) {
        try {
            long bytes = 0;
            for (Path file : files(folder)) {
                bytes += Files.size(file);
            }
            return bytes;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(path -> path.toString().endsWith(HistoryWriter.SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Adds entries that the processes themselves could not write.
     *
     * @param name name of the file, which is not the name of a process
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

    private static void each(Path file, EntryFormat format, Consumer<Entry> taker) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                Entry entry;
                try {
                    entry = format.entry(line);
                } catch (JacksonException ex) {
                    if (lines.readLine() != null) {
                        throw new IllegalStateException(file + ", line " + number + " cannot be read", ex);
                    }
                    return;
                }
                taker.accept(entry);
            }
        }
    }
}
