// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A task to be stored, and its caller's result. */
final class PendingSchedule {

    static final long NO_TIMEOUT = Long.MAX_VALUE / 2;

    /** Marks a task whose caller has given up, and which was never sent. */
    private static final SendPermit GIVEN_UP = new SendPermit();

    /** Marks a task whose caller has given up, and which may be stored. */
    private static final SendPermit UNCERTAIN = new SendPermit();

    /** Marks a task that was sent with others, may be stored, and waits to be sent alone. */
    private static final SendPermit SENT_WITH_OTHERS = new SendPermit();

    static {
        GIVEN_UP.withdraw();
        UNCERTAIN.take();
        SENT_WITH_OTHERS.take();
    }

    private final Shard shard;
    private final TaskChange.Schedule change;
    private final int size;
    private final long timeoutNanos;
    private final long offeredNanos = System.nanoTime();
    private final boolean callerWaits;
    private final CompletableFuture<ScheduleReply> answer = new CompletableFuture<>();
    /** The latest call to which the task was assigned; null for none. */
    private final AtomicReference<@Nullable SendPermit> call = new AtomicReference<>();

    private volatile boolean alone;
    private volatile boolean stored;

    /**
     * @param callerWaits whether a thread waits for the result; completing it then runs no application code
     * @param timeoutNanos time after which the task is no longer sent; {@link #NO_TIMEOUT} if its caller enforces the
     *     time-out
     */
    PendingSchedule(Shard shard, TaskChange.Schedule change, boolean callerWaits, long timeoutNanos) {
        this.shard = shard;
        this.change = change;
        this.size = change.task().size();
        this.callerWaits = callerWaits;
        this.timeoutNanos = timeoutNanos;
    }

    /** Makes this task be sent in a separate call from now on. */
    void sendAlone() {
        call.updateAndGet(before -> isOver(before) ? before : SENT_WITH_OTHERS);
        alone = true;
    }

    /** Assigns the task to a call. Returns {@code false} if the caller has given up; the task must then not be sent. */
    boolean take(SendPermit permit) {
        if (isOver(call.get())) {
            return false;
        }
        if (alone) {
            permit.take(); // The first call may have stored it.
        }
        if (!isOver(call.getAndUpdate(before -> isOver(before) ? before : permit))) {
            return true;
        }
        if (alone) {
            permit.giveBack(null);
        }
        return false;
    }

    private static boolean isOver(@Nullable SendPermit call) {
        return call == GIVEN_UP || call == UNCERTAIN;
    }

    /**
     * Ends the caller's wait. From now on, the task is not sent. If its call has not been sent yet, the call is dropped
     * and its other tasks are sent in another call.
     *
     * @return the exception for the caller, which says whether the task may be stored
     */
    DelayQueueException giveUp() {
        while (true) {
            SendPermit carrying = call.get();
            if (carrying != null && !carrying.withdraw()) {
                if (call.compareAndSet(carrying, UNCERTAIN)) {
                    return BoundedWait.late(what());
                }
            } else if (call.compareAndSet(carrying, GIVEN_UP)) {
                return neverSent(carrying);
            }
        }
    }

    private DelayQueueException neverSent(@Nullable SendPermit carrying) {
        if (carrying == null) {
            return TaskFailures.notSent(what());
        }
        DelayQueueException reason = carrying.reason();
        return reason == null ? TaskFailures.unreachable(what()) : TaskFailures.unsent(reason, what());
    }

    private String what() {
        return shard.what("schedule", id());
    }

    /**
     * Returns the result, or the reason why there is none yet. A task that too few replicas have is stored and has both
     * a result and an error.
     */
    ChangeResult result() {
        if (!answer.isDone()) {
            return new ChangeResult(change, null, giveUp());
        }
        ScheduleReply reply;
        try {
            reply = answer.join();
        } catch (CompletionException ex) {
            return new ChangeResult(change, null, TaskFailures.known(ex));
        }
        try {
            return new ChangeResult(change, change.result(reply), null);
        } catch (TaskNotReplicatedException ex) {
            return new ChangeResult(change, new ScheduleResult(id(), reply.outcome(), reply.dueAt()), ex);
        }
    }

    Shard shard() {
        return shard;
    }

    TaskChange.Schedule change() {
        return change;
    }

    NewTask task() {
        return change.task();
    }

    String id() {
        return change.id();
    }

    int size() {
        return size;
    }

    boolean hasTimeout() {
        return timeoutNanos < NO_TIMEOUT;
    }

    boolean isLate(long nowNanos) {
        return nowNanos - deadlineNanos() >= 0;
    }

    long offeredNanos() {
        return offeredNanos;
    }

    long deadlineNanos() {
        return offeredNanos + timeoutNanos;
    }

    /** Records that the task is stored, so that a later failure of its call does not affect it. */
    void noteStored() {
        stored = true;
    }

    boolean isStored() {
        return stored;
    }

    boolean callerWaits() {
        return callerWaits;
    }

    boolean isAlone() {
        return alone;
    }

    CompletableFuture<ScheduleReply> answer() {
        return answer;
    }
}
