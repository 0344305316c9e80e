// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

/** When the latest of several calls was answered, for a thread that waits for all of them. Safe for use by many threads. */
public final class CallProgress {

    private volatile long lastNanos = System.nanoTime();

    /** Notes that a call was answered, or that the first one begins. */
    public void made() {
        lastNanos = System.nanoTime();
    }

    /** Returns the time since then. */
    long waitedNanos() {
        return System.nanoTime() - lastNanos;
    }
}
