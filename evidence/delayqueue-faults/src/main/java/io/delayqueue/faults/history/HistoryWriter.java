// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The history of one process. When {@link #write} returns, the operating system has the line, so the line survives any
 * end of the process, but not of the host. Safe for use by multiple threads, even if they are interrupted.
 */
public final class HistoryWriter implements AutoCloseable {

    /** The suffix of the history files. */
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
     * @param folder folder of the histories of a run; created if it does not exist
     * @param process a name that is unique among all processes of the run
     * @throws UncheckedIOException also if a process with this name has already written there
     */
    public static HistoryWriter open(Path folder, String process) {
        try {
            Files.createDirectories(folder);
            Path path = Files.createFile(folder.resolve(process + SUFFIX));
            // This is not a channel, because the interrupt of one thread would close it for all threads.
            return new HistoryWriter(process, new FileOutputStream(path.toFile(), true));
        } catch (IOException ex) {
            throw new UncheckedIOException("The history of " + process + " cannot be begun", ex);
        }
    }

    /** Returns the current time for entries, in microseconds. */
    public static long micros() {
        return System.nanoTime() / 1000;
    }

    /**
     * Writes an event.
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
