// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * The turns of runs that are there at the same time: one does something, the others wait. What is measured in turns of
 * a second is measured on the same machine, however much its speed changes in a minute. A file is what the processes
 * share.
 */
public final class Turns implements AutoCloseable {

    /** The system property with the file, which is empty before the first of them starts. */
    public static final String FILE = "benchmark.turns";

    /** The system property that says how many take turns. */
    public static final String NUMBER = "benchmark.turns.of";

    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final FileChannel file;
    private final int number;

    private Turns(FileChannel file, int number) {
        this.file = file;
        this.number = number;
    }

    /** Returns those that the system properties tell of. */
    static Turns open() {
        return open(Path.of(System.getProperty(FILE)), Integer.getInteger(NUMBER));
    }

    static Turns open(Path path, int number) {
        try {
            return new Turns(
                    FileChannel.open(
                            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    number);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** On behalf of one that has ended, so that the others do not wait for it. */
    public static void leave(Path path) throws InterruptedException {
        try (Turns turns = open(path, 0)) {
            turns.count();
        }
    }

    private void count() throws InterruptedException {
        take(() -> file.write(ByteBuffer.allocate(1), file.size()));
    }

    /** Does this when it is this process's turn, and then lets others have theirs. */
    void take(Step step) throws InterruptedException {
        try {
            FileLock turn = file.lock();
            try {
                step.run();
            } finally {
                turn.release();
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        Thread.sleep(100); // or the next turn would be this one's again
    }

    /** Waits until all have called this, or twenty minutes have passed. */
    void awaitAll() throws InterruptedException {
        try {
            count();
            long end = System.nanoTime() + LIMIT.toNanos();
            while (file.size() < number && System.nanoTime() < end) {
                Thread.sleep(100);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
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

    /** What is done in a turn. */
    @FunctionalInterface
    interface Step {

        void run() throws IOException, InterruptedException;
    }
}
