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
 * Callers in this process that wait for the outcomes of operations whose transactions have committed. Bounded by count and by
 * time. Safe for use by many threads.
 */
public final class Callers {

    private static final int MOST = 10_000;
    private static final String NO_RELAY = "no relay runs in this process";

    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final Duration longest;
    private final Scheduler scheduler;
    private volatile boolean open = true;

    /** @param longest time for which a caller waits */
    public Callers(Duration longest, Scheduler scheduler) {
        this.longest = longest;
        this.scheduler = scheduler;
    }

    /** Has a caller wait, as its operation is committed. */
    void await(long number, DeferredCaller<?> call) {
        if (!call.hasStage()) {
            return;
        }
        if (waiting.size() >= MOST) {
            call.fail(unknown(call, "too many calls wait for their outcomes"));
            return;
        }
        try {
            Scheduler.Scheduled end = scheduler.after(
                    longest, () -> fail(number, "it is not carried out yet, or another process has done so"));
            waiting.put(number, new Waiting(call, end));
        } catch (Throwable ex) { // the transaction has committed, whatever happens here
            call.fail(unknown(call, "nothing could be scheduled that ends the wait"));
        }
        if (!open) {
            fail(number, NO_RELAY);
        }
    }

    /** Lets callers wait, as a relay runs in this process. */
    public void open() {
        open = true;
    }

    /** Fails the callers that wait, and those that come until this is opened. */
    public void close() {
        open = false;
        waiting.keySet().forEach(number -> fail(number, NO_RELAY));
    }

    /** Tells the caller that its operation was carried out, or put aside. */
    public void end(long number, ChangeResult result) {
        Waiting caller = remove(number);
        if (caller != null) {
            caller.call().end(result);
        }
    }

    /** Tells the caller that its operation was passed over, as a later one of its task makes it superfluous. */
    public void superseded(long number) {
        fail(number, "a later call for the task has made it superfluous");
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
                call.said() + "the transaction has committed, and the call is in force with it, but its outcome is"
                        + " not known here: " + why);
    }

    private record Waiting(DeferredCaller<?> call, Scheduler.Scheduled end) {}
}
