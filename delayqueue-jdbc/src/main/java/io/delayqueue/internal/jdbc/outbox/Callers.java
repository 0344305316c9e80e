// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.DeferredCaller;
import io.delayqueue.jdbc.CallOutcomeUnknownException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Callers in this process that wait for the outcomes of committed operations. Limits their number and their waiting
 * time. Thread-safe.
 */
public final class Callers {

    private static final int MOST = 10_000;
    private static final String NO_RELAY = "no relay is running in this process";

    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final Duration longest;
    private final Scheduler scheduler;
    private volatile boolean open = true;

    /** @param longest the maximum time that a caller waits */
    public Callers(Duration longest, Scheduler scheduler) {
        this.longest = longest;
        this.scheduler = scheduler;
    }

    /** Registers a caller to wait for the outcome of its committed operation. */
    void await(long number, DeferredCaller<?> call) {
        if (!call.hasStage()) {
            return;
        }
        if (waiting.size() >= MOST) {
            call.fail(unknown(call, "too many calls are waiting for their outcomes"));
            return;
        }
        try {
            Scheduler.Scheduled end = scheduler.after(
                    longest, () -> fail(number, "it is still pending, or another process has completed it"));
            waiting.put(number, new Waiting(call, end));
        } catch (Throwable ex) { // The transaction has committed, so nothing here may throw.
            call.fail(unknown(call, "the end of its wait could not be scheduled"));
        }
        if (!open) {
            fail(number, NO_RELAY);
        }
    }

    /** Allows callers to wait. Called when a relay starts in this process. */
    public void open() {
        open = true;
    }

    /** Fails all waiting callers, and new ones until {@link #open}. */
    public void close() {
        open = false;
        waiting.keySet().forEach(number -> fail(number, NO_RELAY));
    }

    /** Completes a caller whose operation was executed or rejected. */
    public void end(long number, ChangeResult result) {
        Waiting caller = remove(number);
        if (caller != null) {
            caller.call().end(result);
        }
    }

    /** Fails a caller whose operation was replaced by a later one on the same task. */
    public void superseded(long number) {
        fail(number, "a later call for the task has superseded it");
    }

    private void fail(long number, String why) {
        Waiting caller = remove(number);
        if (caller != null) {
            caller.call().fail(unknown(caller.call(), why));
        }
    }

    private @Nullable Waiting remove(long number) {
        Waiting caller = waiting.remove(number);
        if (caller != null) {
            caller.end().cancel();
        }
        return caller;
    }

    private static DelayQueueException unknown(DeferredCaller<?> call, String why) {
        return new CallOutcomeUnknownException(
                call.what() + ": the transaction has committed and the call takes effect, but this process does not "
                        + "know its outcome: " + why);
    }

    private record Waiting(DeferredCaller<?> call, Scheduler.Scheduled end) {}
}
