// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.NamedThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the JVM alive while a queue is scanned, like message containers and schedulers: one non-daemon thread, from the
 * first hold to the last release. Thread-safe.
 */
final class KeepAlive implements AutoCloseable {

    private final ThreadFactory threads;
    private int holds;
    private boolean closed;
    private @Nullable CountDownLatch end;

    KeepAlive() {
        this(NamedThreads.workers("delayqueue-keep-alive-"));
    }

    KeepAlive(ThreadFactory threads) {
        this.threads = threads;
    }

    /** Adds a hold. If the thread cannot be created, this throws and adds none. Does nothing after the close. */
    synchronized void hold() {
        if (end == null && !closed) {
            CountDownLatch ending = new CountDownLatch(1);
            threads.newThread(() -> awaitEnd(ending)).start();
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

    /** Ends the thread regardless of holds, and prevents another. */
    @Override
    public synchronized void close() {
        closed = true;
        endThread();
    }

    private void endThread() {
        if (end != null) {
            end.countDown();
            end = null;
        }
    }

    /** Waits for the end. Ignores interrupts, because there is no work to interrupt. */
    private static void awaitEnd(CountDownLatch end) {
        boolean ended = false;
        while (!ended) {
            try {
                end.await();
                ended = true;
            } catch (InterruptedException ex) {
                // interrupting all threads must not stop the triggers
            }
        }
    }
}
