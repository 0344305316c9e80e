// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

/** The time of the latest reply to several calls, for a thread that waits for all of them. Thread-safe. */
public final class CallProgress {

    private volatile long lastNanos = System.nanoTime();

    /** Records a reply, or the start of the first call. */
    public void made() {
        lastNanos = System.nanoTime();
    }

    /** Returns the time since the latest reply. */
    long waitedNanos() {
        return System.nanoTime() - lastNanos;
    }
}
