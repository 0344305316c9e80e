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
 * The turns of concurrent runs: one run works while the others wait. With turns of a second, all runs are measured
 * under the same conditions, even if the speed of the machine changes within minutes. The processes share a file.
 */
public final class Turns implements AutoCloseable {

    /** The system property with the file, which is empty before the first process starts. */
    public static final String FILE = "benchmark.turns";

    /** The system property with the number of processes that take turns. */
    public static final String NUMBER = "benchmark.turns.of";

    private static final Duration LIMIT = Duration.ofMinutes(20);

    private final FileChannel file;
    private final int number;

    private Turns(FileChannel file, int number) {
        this.file = file;
        this.number = number;
    }

    /** Returns the turns that the system properties define. */
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

    /** Leaves on behalf of a process that has ended, so that the others do not wait for it. */
    public static void leave(Path path) throws InterruptedException {
        try (Turns turns = open(path, 0)) {
            turns.count();
        }
    }

    private void count() throws InterruptedException {
        take(() -> file.write(ByteBuffer.allocate(1), file.size()));
    }

    /** Runs a step when it is this process's turn, and then passes the turn on. */
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
        Thread.sleep(100); // Otherwise this process would also get the next turn.
    }

    /** Waits until all processes have called this, or twenty minutes have passed. */
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

    /** The step of a turn. */
    @FunctionalInterface
    interface Step {

        void run() throws IOException, InterruptedException;
    }
}
