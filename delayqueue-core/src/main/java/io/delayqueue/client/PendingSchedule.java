// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.SendPermit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A task on its way into its shard, and who is to be told. */
final class PendingSchedule {

    /** Of an envelope without headers, and of an index entry. */
    private static final int OVERHEAD = 64;

    /** Of a task that nobody waits for any longer, and that was never sent. */
    private static final SendPermit GIVEN_UP = new SendPermit();

    /** Of one that nobody waits for any longer, and that may have been stored. */
    private static final SendPermit UNCERTAIN = new SendPermit();

    /** Of one that was sent with others, waits to be sent alone, and may have been stored. */
    private static final SendPermit SENT_WITH_OTHERS = new SendPermit();

    static {
        GIVEN_UP.withdraw();
        UNCERTAIN.take();
        SENT_WITH_OTHERS.take();
    }

    private final RoutedTask routed;
    private final int size;
    private final long offeredNanos;
    private final long deadlineNanos;
    private final boolean callerWaits;
    private final boolean resent;
    private final CompletableFuture<ScheduleReply> answer;
    /** Of the latest call that was to carry the task; null if there was none. */
    private final AtomicReference<@Nullable SendPermit> call;

    private PendingSchedule(RoutedTask routed, long offeredNanos, long timeoutNanos, boolean callerWaits) {
        this.routed = routed;
        this.size = sizeOf(routed.task());
        this.offeredNanos = offeredNanos;
        this.deadlineNanos = offeredNanos + timeoutNanos;
        this.callerWaits = callerWaits;
        this.resent = false;
        this.answer = new CompletableFuture<>();
        this.call = new AtomicReference<>();
    }

    private PendingSchedule(PendingSchedule refused) {
        this.routed = refused.routed;
        this.size = refused.size;
        this.offeredNanos = refused.offeredNanos;
        this.deadlineNanos = refused.deadlineNanos;
        this.callerWaits = refused.callerWaits;
        this.resent = true;
        this.answer = refused.answer;
        this.call = refused.call;
    }

    /** @param callerWaits whether a thread waits for the answer, and nothing else hangs on it */
    static PendingSchedule of(RoutedTask routed, boolean callerWaits, long timeoutNanos) {
        return new PendingSchedule(routed, System.nanoTime(), timeoutNanos, callerWaits);
    }

    /** The same, which waits as long as its caller does. */
    static PendingSchedule of(RoutedTask routed) {
        return of(routed, true, Long.MAX_VALUE / 2);
    }

    /** The same, to be sent in a call of its own. */
    PendingSchedule alone() {
        call.updateAndGet(before -> isOver(before) ? before : SENT_WITH_OTHERS);
        return new PendingSchedule(this);
    }

    /** A call is to carry it. Answers false if the caller waits no longer, and then it must not be sent. */
    boolean take(SendPermit permit) {
        if (isOver(call.get())) {
            return false;
        }
        if (resent) {
            permit.take(); // what became of the first time is not known for sure
        }
        if (!isOver(call.getAndUpdate(before -> isOver(before) ? before : permit))) {
            return true;
        }
        if (resent) {
            permit.giveBack(null);
        }
        return false;
    }

    private static boolean isOver(@Nullable SendPermit call) {
        return call == GIVEN_UP || call == UNCERTAIN;
    }

    /**
     * The caller waits no longer. No call is made for the task from now on, and one that was not sent by now never is:
     * the other tasks of such a call go in another one.
     *
     * @return why, and whether it may be stored
     */
    DelayQueueException giveUp() {
        while (true) {
            SendPermit carrying = call.get();
            if (carrying != null && !carrying.withdraw()) {
                if (call.compareAndSet(carrying, UNCERTAIN)) {
                    return TaskFailures.late(routed.shard(), id());
                }
            } else if (call.compareAndSet(carrying, GIVEN_UP)) {
                return neverSent(carrying);
            }
        }
    }

    private DelayQueueException neverSent(@Nullable SendPermit carrying) {
        if (carrying == null) {
            return TaskFailures.notSent(routed.shard(), id());
        }
        DelayQueueException reason = carrying.reason();
        return reason == null
                ? TaskFailures.unreachable(routed.shard(), id())
                : TaskFailures.unsent(reason, routed.shard(), id());
    }

    /** About the bytes that it takes on its way. */
    private static int sizeOf(NewTask task) {
        int size = OVERHEAD + task.id().length() + task.content().payload().length;
        for (var header : task.content().headers().entrySet()) {
            size += header.getKey().length() + header.getValue().length();
        }
        return size;
    }

    RoutedTask routed() {
        return routed;
    }

    NewTask task() {
        return routed.task();
    }

    String id() {
        return routed.id();
    }

    int size() {
        return size;
    }

    long offeredNanos() {
        return offeredNanos;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    boolean callerWaits() {
        return callerWaits;
    }

    boolean resent() {
        return resent;
    }

    CompletableFuture<ScheduleReply> answer() {
        return answer;
    }
}
