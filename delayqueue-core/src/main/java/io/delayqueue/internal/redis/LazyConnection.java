// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.concurrent.NamedThreads;
import io.lettuce.core.RedisConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened on first use. Lettuce reconnects it. Its user replaces it if it leads to the wrong
 * server, if Lettuce has closed it permanently, or if it no longer transfers replies. Thread-safe.
 *
 * @param <C> the connection
 */
public final class LazyConnection<C> {

    /** The pause after an attempt to open the connection, and the minimum time between two replacements. */
    private static final long PAUSE_NANOS = Duration.ofMillis(500).toNanos();

    private final Supplier<C> open;
    private final Consumer<C> close;
    private volatile @Nullable CompletableFuture<C> current;
    private long openedAt;

    /**
     * @param open opens a connection on a separate thread; may block
     * @param close closes a connection without blocking
     */
    public LazyConnection(Supplier<C> open, Consumer<C> close) {
        this.open = open;
        this.close = close;
    }

    /**
     * Returns the connection. Does not block. Callers share an attempt to open the connection, and for a short time its
     * failure.
     *
     * @return a future that fails with a {@link RedisConnectionException} if the connection cannot be opened
     */
    public CompletableFuture<C> get() {
        CompletableFuture<C> opened = current;
        return (opened == null || opened.isCompletedExceptionally()) ? openUnlessFailedJustNow() : opened;
    }

    /** Returns the connection in its current state; null if it was never opened. */
    public @Nullable C ifOpened() {
        CompletableFuture<C> opened = current;
        return (opened == null || opened.isCompletedExceptionally()) ? null : opened.getNow(null);
    }

    /** Closes a connection and opens another, unless the current connection was opened a moment ago. */
    public synchronized void replace(C old) {
        if (ifOpened() == old && isPauseOver()) {
            open();
            close.accept(old);
        }
    }

    private synchronized CompletableFuture<C> openUnlessFailedJustNow() {
        CompletableFuture<C> opened = current;
        if (opened == null || (opened.isCompletedExceptionally() && isPauseOver())) {
            return open();
        }
        return opened;
    }

    private boolean isPauseOver() {
        return System.nanoTime() - openedAt >= PAUSE_NANOS;
    }

    private CompletableFuture<C> open() {
        openedAt = System.nanoTime();
        CompletableFuture<C> opening = CompletableFuture.supplyAsync(this::openOrExplain, LazyConnection::onNewThread);
        current = opening;
        return opening;
    }

    private C openOrExplain() {
        try {
            return open.get();
        } catch (RuntimeException ex) {
            throw new RedisConnectionException("Could not connect to Redis: " + ex.getMessage(), ex);
        }
    }

    private static void onNewThread(Runnable opening) {
        NamedThreads.HOUSEKEEPING.newThread(opening).start();
    }
}
