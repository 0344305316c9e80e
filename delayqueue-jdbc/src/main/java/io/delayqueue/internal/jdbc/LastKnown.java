// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc;

import io.delayqueue.internal.concurrent.Guard;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cache for a value from the database, for callers that must not wait for a read. If the value is too old and no read
 * is in progress, a call starts a read on another thread. Thread-safe and non-blocking.
 *
 * @param <T> type of the value
 */
public final class LastKnown<T> {

    private final Duration maxAge;
    private final Executor thread;
    private final Supplier<T> read;
    private CompletableFuture<T> latest = CompletableFuture.failedFuture(new IllegalStateException("Not read yet"));
    private @Nullable T known;
    private long knownAtNanos;

    /**
     * @param maxAge maximum age of a value
     * @param thread executor of the reads
     * @param read reads the value, and may block
     */
    public LastKnown(Duration maxAge, Executor thread, Supplier<T> read) {
        this.maxAge = maxAge;
        this.thread = thread;
        this.read = read;
    }

    /** Returns the value if it is recent enough, otherwise the read in progress. */
    public synchronized CompletableFuture<T> fresh() {
        boolean young = known != null && System.nanoTime() - knownAtNanos < maxAge.toNanos();
        if (latest.isDone() && !young) {
            CompletableFuture<T> next = new CompletableFuture<>();
            latest = next;
            Guard.orFail(next, () -> thread.execute(() -> Guard.orFail(next, () -> complete(next))));
        }
        return latest;
    }

    private void complete(CompletableFuture<T> next) {
        T value = read.get();
        synchronized (this) {
            known = value;
            knownAtNanos = System.nanoTime();
        }
        next.complete(value);
    }

    /** Returns the latest value; null before the first one. Starts a read if the value is too old. */
    public synchronized @Nullable T known() {
        fresh();
        return known;
    }
}
