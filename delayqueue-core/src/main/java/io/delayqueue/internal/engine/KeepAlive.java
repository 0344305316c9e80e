// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.NamedThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the JVM alive while a queue is scanned, as message listener containers do, with one non-daemon thread from the
 * first hold to the last release. Thread-safe.
 */
final class KeepAlive implements AutoCloseable {

    private final ThreadFactory threads;
    private int holds;
    private boolean closed;
    private @Nullable CompletableFuture<Void> end;

    KeepAlive() {
        this(NamedThreads.workers("delayqueue-keep-alive-"));
    }

    KeepAlive(ThreadFactory threads) {
        this.threads = threads;
    }

    /** Adds a hold. Throws, without adding one, if the thread cannot be created. Does nothing after {@link #close}. */
    synchronized void hold() {
        if (end == null && !closed) {
            CompletableFuture<Void> ending = new CompletableFuture<>();
            // Unlike awaiting a latch, this ignores interrupts: there is no work to interrupt.
            threads.newThread(ending::join).start();
            end = ending;
        }
        holds++;
    }

    synchronized void release() {
        holds--;
        if (holds == 0) {
            endThread();
        }
    }

    /** Ends the thread regardless of holds, and prevents a new one. */
    @Override
    public synchronized void close() {
        closed = true;
        endThread();
    }

    private void endThread() {
        if (end != null) {
            end.complete(null);
            end = null;
        }
    }
}
