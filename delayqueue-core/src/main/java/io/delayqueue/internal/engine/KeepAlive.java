// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.NamedThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the JVM from ending while a queue is scanned, as containers of messages and schedulers do: one thread that is
 * no daemon, from the first hold until the last one is let go. Safe for use by many threads.
 */
final class KeepAlive implements AutoCloseable {

    private final ThreadFactory threads;
    private int holds;
    private boolean closed;
    private @Nullable CountDownLatch end;

    KeepAlive() {
        this(NamedThreads.workers("delayqueue-keep-alive-"));
    }

    /** @param threads makes the thread, which is not a daemon */
    KeepAlive(ThreadFactory threads) {
        this.threads = threads;
    }

    /** Holds the JVM. What this throws for want of a thread leaves no hold. After the close it holds nothing. */
    synchronized void hold() {
        if (end == null && !closed) {
            CountDownLatch ending = new CountDownLatch(1);
            threads.newThread(() -> awaitEnd(ending)).start();
            end = ending;
        }
        holds++;
    }

    /** Undoes one hold. */
    synchronized void release() {
        holds--;
        if (holds == 0) {
            endThread();
        }
    }

    /** Ends the thread, whoever holds, and takes no other one. */
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

    /** An interrupt is for work, and there is none here. */
    private static void awaitEnd(CountDownLatch end) {
        boolean ended = false;
        while (!ended) {
            try {
                end.await();
                ended = true;
            } catch (InterruptedException ex) {
                // whoever interrupts all threads does not thereby stop the triggers
            }
        }
    }
}
