// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records whether a call was sent and whether it may still be sent. The store takes the permit before it sends
 * anything, and returns it if the call did not run. A caller that stops waiting withdraws the permit: if nothing has
 * been sent by then, nothing will be sent; otherwise the call may run. All parts and repetitions of a call share one
 * permit; a part may have an additional permit of its own. Thread-safe.
 */
public final class SendPermit {

    /** Value of {@link #sent} after which nothing more is sent. */
    private static final int ENDED = Integer.MIN_VALUE;

    private final @Nullable SendPermit whole;
    /** Number of sends that may have run, or {@link #ENDED}. */
    private final AtomicInteger sent = new AtomicInteger();

    private volatile @Nullable Supplier<? extends DelayQueueException> reason;

    public SendPermit() {
        this(null);
    }

    private SendPermit(@Nullable SendPermit whole) {
        this.whole = whole;
    }

    /** Returns a permit for a part of the call, which is taken and returned together with this one. */
    public SendPermit part() {
        return new SendPermit(this);
    }

    /**
     * Takes the permit. Call this before each send, and do not send if it returns {@code false}: no caller waits any
     * longer.
     */
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
     * Gives the permit back, because the latest send did not run.
     *
     * @param why creates the exception that explains why the call is sent again; null if it is not, or if the reason
     *     does not matter
     */
    public void giveBack(@Nullable Supplier<? extends DelayQueueException> why) {
        reason = why;
        sent.decrementAndGet();
        if (whole != null) {
            whole.giveBack(why);
        }
    }

    /**
     * Records that the call waits to be sent.
     *
     * @param why creates the exception for the case that the wait takes too long
     */
    public void waits(@Nullable Supplier<? extends DelayQueueException> why) {
        reason = why;
        if (whole != null) {
            whole.waits(why);
        }
    }

    /**
     * Withdraws the permit when the caller stops waiting. Returns {@code true} if the call cannot have run; it is then
     * never sent.
     */
    public boolean withdraw() {
        return sent.compareAndSet(0, ENDED) || isWithdrawn();
    }

    /** Returns whether the call cannot have run, and will not be sent. */
    public boolean isWithdrawn() {
        return sent.get() == ENDED;
    }

    /** Ends the call: nothing more is sent. */
    public void end() {
        sent.getAndUpdate(times -> times | ENDED);
    }

    /**
     * Returns a new exception that says why the call has not been sent, or why the permit was last given back; null if
     * unknown.
     */
    public @Nullable DelayQueueException reason() {
        Supplier<? extends DelayQueueException> why = reason;
        return why == null ? null : why.get();
    }

    private static boolean hasEnded(int times) {
        return times < 0;
    }
}
