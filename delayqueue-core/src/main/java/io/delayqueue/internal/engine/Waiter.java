// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Lets one thread sleep until a time has passed or another thread signals. A signal that comes early is kept. */
final class Waiter {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition signalled = lock.newCondition();
    private boolean pending;

    void await(long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (!pending && left > 0) {
                left = signalled.awaitNanos(left);
            }
            pending = false;
        } finally {
            lock.unlock();
        }
    }

    void signal() {
        lock.lock();
        try {
            pending = true;
            signalled.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Seconds, for tests and stops: waits until a condition that others signal holds. */
    boolean awaitUntil(java.util.function.BooleanSupplier condition, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        while (!condition.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            await(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
        }
        return true;
    }
}
