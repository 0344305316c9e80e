// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.util.concurrent.TimeUnit;

/**
 * When to ask the other processes for help: if tasks are due and this process has not been able to take any for a
 * while, and then once in a second as long as that lasts. For one thread.
 */
final class HelpCalls {

    static final long AFTER = TimeUnit.MILLISECONDS.toNanos(50);
    static final long AGAIN_AFTER = TimeUnit.SECONDS.toNanos(1);

    private boolean heldUp;
    private long heldUpSince;
    private long mayCallAt;

    HelpCalls(long now) {
        this.mayCallAt = now;
    }

    /** Whether nothing could be taken the last time. */
    boolean isHeldUp() {
        return heldUp;
    }

    /** Something can be taken, or nothing is due. */
    void over() {
        heldUp = false;
    }

    /**
     * Tasks are due, and none can be taken now.
     *
     * @param call asks for help; run where it is time to
     * @return when to ask for help if it is still so then
     */
    long heldUp(long now, Runnable call) {
        if (!heldUp) {
            heldUp = true;
            heldUpSince = now;
        }
        long callAt = (heldUpSince + AFTER - mayCallAt >= 0) ? heldUpSince + AFTER : mayCallAt;
        if (callAt - now > 0) {
            return callAt;
        }
        call.run();
        mayCallAt = now + AGAIN_AFTER;
        return mayCallAt;
    }
}
