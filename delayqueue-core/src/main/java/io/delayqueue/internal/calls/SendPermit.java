// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call was sent, and whether it still may be. The store takes it before it sends anything, and gives it back
 * where the call did not run after all. Whoever waits no longer withdraws it: a call that was not sent by then never
 * is, and one that was may run. A call that is sent in several parts, or again, has one permit for all of them, of
 * which a part may have a permit of its own. Safe for use by many threads.
 */
public final class SendPermit {

    /** Nothing more is sent. */
    private static final int ENDED = Integer.MIN_VALUE;

    private final @Nullable SendPermit whole;
    /** How often something was sent that may have run, and whether more may be. */
    private final AtomicInteger sent = new AtomicInteger();

    private volatile @Nullable Supplier<? extends DelayQueueException> reason;

    public SendPermit() {
        this(null);
    }

    private SendPermit(@Nullable SendPermit whole) {
        this.whole = whole;
    }

    /** One for a part of the call: taken only where this one is too, and given back with it. */
    public SendPermit part() {
        return new SendPermit(this);
    }

    /** Something is sent now. Answers false if nobody waits any longer, and then it must not be. */
    public boolean take() {
        if (hasEnded(sent.getAndUpdate(times -> hasEnded(times) ? times : times + 1))) {
            return false;
        }
        if (whole == null || whole.take()) {
            return true;
        }
        sent.decrementAndGet();
        return false;
    }

    /**
     * What it was taken for last did not run.
     *
     * @param why it has to be sent again; null if it does not, or nobody needs to know
     */
    public void giveBack(@Nullable Supplier<? extends DelayQueueException> why) {
        reason = why;
        sent.decrementAndGet();
        if (whole != null) {
            whole.giveBack(why);
        }
    }

    /** It is not sent yet. What this makes says why, should that be for too long. */
    public void waits(@Nullable Supplier<? extends DelayQueueException> why) {
        reason = why;
        if (whole != null) {
            whole.waits(why);
        }
    }

    /** Nobody waits any longer. Answers true if nothing was sent that may have run; then nothing will be. */
    public boolean withdraw() {
        return sent.compareAndSet(0, ENDED) || isWithdrawn();
    }

    /** Whether nothing was sent that may have run, and nothing will be. */
    public boolean isWithdrawn() {
        return sent.get() == ENDED;
    }

    /** The call is over, whatever of it was sent: nothing more is. */
    public void end() {
        sent.getAndUpdate(times -> times | ENDED);
    }

    /** Why it is not sent yet, or was given back last; null if nobody said. A new exception each time. */
    public @Nullable DelayQueueException reason() {
        Supplier<? extends DelayQueueException> why = reason;
        return why == null ? null : why.get();
    }

    private static boolean hasEnded(int times) {
        return times < 0;
    }
}
