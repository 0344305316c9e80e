// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The history of one process. When {@link #write} returns the operating system has the line, so that the end of the
 * process, however sudden, does not lose it; the end of the host may. Safe for use by many threads, also by interrupted
 * ones.
 */
public final class HistoryWriter implements AutoCloseable {

    /** How the files of a folder of histories end. */
    static final String SUFFIX = ".history.jsonl";

    private final EntryFormat format = new EntryFormat();
    private final String process;
    private final OutputStream file;
    private long number;

    private HistoryWriter(String process, OutputStream file) {
        this.process = process;
        this.file = file;
    }

    /**
     * Begins the history of a process.
     *
     * @param folder of the histories of a run; made if it is not there
     * @param process a name that no other process of the run has or had
     * @throws UncheckedIOException also if a process of that name has written there before
     */
    public static HistoryWriter open(Path folder, String process) {
        try {
            Files.createDirectories(folder);
            Path path = Files.createFile(folder.resolve(process + SUFFIX));
            // not a channel, which an interrupt of one thread would close for all
            return new HistoryWriter(process, new FileOutputStream(path.toFile(), true));
        } catch (IOException ex) {
            throw new UncheckedIOException("The history of " + process + " cannot be begun", ex);
        }
    }

    /** Returns the time that entries are given, in microseconds. */
    public static long micros() {
        return System.nanoTime() / 1000;
    }

    /**
     * Writes an event down.
     *
     * @throws UncheckedIOException if it could not be written
     */
    public synchronized void write(Event event) {
        number++;
        try {
            file.write(format.line(new Entry(process, number, micros(), System.currentTimeMillis(), event)));
        } catch (IOException ex) {
            throw new UncheckedIOException("The history of " + process + " cannot be written", ex);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
