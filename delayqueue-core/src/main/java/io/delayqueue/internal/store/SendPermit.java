// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether a call was sent, and whether it still may be. The store takes it before it sends anything, and gives it back
 * where nothing left the process after all. Whoever waits no longer withdraws it: a call that was not sent by then
 * never is, and one that was may run. A call that is sent in several parts, or again, has one permit for all of them.
 * Safe for use by many threads.
 */
public final class SendPermit {

    private static final int WITHDRAWN = -1;

    /** How often something was sent that may have run. */
    private final AtomicInteger sent = new AtomicInteger();

    /** Something is sent now. Answers false if nobody waits any longer, and then it must not be. */
    public boolean take() {
        return sent.getAndUpdate(times -> times == WITHDRAWN ? times : times + 1) != WITHDRAWN;
    }

    /** What it was taken for last was not sent, or the server said that it did not run. */
    public void giveBack() {
        sent.decrementAndGet();
    }

    /** Nobody waits any longer. Answers true if nothing was sent that may have run; then nothing will be. */
    public boolean withdraw() {
        return sent.compareAndSet(0, WITHDRAWN) || isWithdrawn();
    }

    public boolean isWithdrawn() {
        return sent.get() == WITHDRAWN;
    }
}
