// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

/**
 * Calls one after the other that one thread waits for. Knows when the latest was answered. Safe for use by many
 * threads.
 */
public final class CallsInTurn {

    private volatile long lastNanos = System.nanoTime();

    /** One was answered, or the first begins. */
    public void goOn() {
        lastNanos = System.nanoTime();
    }

    long waitedNanos() {
        return System.nanoTime() - lastNanos;
    }
}
