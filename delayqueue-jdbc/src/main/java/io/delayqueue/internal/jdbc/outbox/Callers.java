// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.DeferredCaller;
import io.delayqueue.jdbc.CallOutcomeUnknownException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait in this process for what becomes of operations whose transactions have committed. Bounded by count and
 * by time. Safe for use by many threads.
 */
public final class Callers {

    private static final int MOST = 10_000;
    private static final String NO_RELAY = "no relay runs in this process";

    private final Map<Long, Waiting> waiting = new ConcurrentHashMap<>();
    private final Duration longest;
    private volatile boolean open = true;

    /** @param longest how long an outcome is waited for */
    public Callers(Duration longest) {
        this.longest = longest;
    }

    /** The operation is committed; whoever made the call hears of its outcome. */
    void await(long number, DeferredCaller<?> call) {
        if (!call.hasStage()) {
            return;
        }
        if (waiting.size() >= MOST) {
            call.fail(unknown(call, "too many calls wait for their outcomes"));
            return;
        }
        waiting.put(number, new Waiting(call, System.nanoTime()));
        if (!open) {
            fail(waiting.remove(number), NO_RELAY);
        }
    }

    /** A relay runs in this process, or soon will. */
    public void open() {
        open = true;
    }

    /** No relay runs in this process. Those who wait, and those who come until it is opened, hear of no outcome. */
    public void close() {
        open = false;
        waiting.keySet().forEach(number -> fail(waiting.remove(number), NO_RELAY));
    }

    /** An operation was carried out, or put aside. */
    public void end(long number, ChangeResult result) {
        Waiting caller = waiting.remove(number);
        if (caller != null) {
            caller.call().end(result);
        }
    }

    /** An operation was passed over, as a later one of its task makes it superfluous. */
    public void superseded(long number) {
        fail(waiting.remove(number), "a later call for the task has made it superfluous");
    }

    /** Gives up those that have waited too long. */
    public void expire() {
        long now = System.nanoTime();
        waiting.forEach((number, caller) -> {
            if (now - caller.sinceNanos() > longest.toNanos()) {
                fail(waiting.remove(number), "it is not carried out yet, or another process has done so");
            }
        });
    }

    private static void fail(@Nullable Waiting caller, String why) {
        if (caller != null) {
            caller.call().fail(unknown(caller.call(), why));
        }
    }

    private static DelayQueueException unknown(DeferredCaller<?> call, String why) {
        return new CallOutcomeUnknownException(
                call.said() + "the transaction has committed, and the call is in force with it, but its outcome is"
                        + " not known here: " + why);
    }

    private record Waiting(DeferredCaller<?> call, long sinceNanos) {}
}
