// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** A task on its way into its shard, and who is to be told. */
final class PendingSchedule {

    /** Of an envelope without headers, and of an index entry. */
    private static final int OVERHEAD = 64;

    private final NewTask task;
    private final int size;
    private final long offeredNanos;
    private final long deadlineNanos;
    private final boolean callerWaits;
    private final boolean resent;
    private final CompletableFuture<ScheduleReply> answer;
    private final AtomicReference<Way> way;

    private PendingSchedule(
            NewTask task,
            int size,
            long offeredNanos,
            long deadlineNanos,
            boolean callerWaits,
            boolean resent,
            CompletableFuture<ScheduleReply> answer,
            AtomicReference<Way> way) {
        this.task = task;
        this.size = size;
        this.offeredNanos = offeredNanos;
        this.deadlineNanos = deadlineNanos;
        this.callerWaits = callerWaits;
        this.resent = resent;
        this.answer = answer;
        this.way = way;
    }

    /** @param callerWaits whether a thread waits for the answer, and nothing else hangs on it */
    static PendingSchedule of(NewTask task, boolean callerWaits, long timeoutNanos) {
        long now = System.nanoTime();
        return new PendingSchedule(
                task,
                sizeOf(task),
                now,
                now + timeoutNanos,
                callerWaits,
                false,
                new CompletableFuture<>(),
                new AtomicReference<>(Way.OFFERED));
    }

    /** The same, to be sent in a call of its own. */
    PendingSchedule alone() {
        return new PendingSchedule(task, size, offeredNanos, deadlineNanos, callerWaits, true, answer, way);
    }

    /** Answers false if the caller waits no longer, and then it must not be sent. */
    boolean take() {
        return way.compareAndSet(Way.OFFERED, Way.TAKEN) || way.get() == Way.TAKEN;
    }

    /** The caller waits no longer. Answers whether it will not be sent; if not, it may have been. */
    boolean giveUp() {
        return way.compareAndSet(Way.OFFERED, Way.GIVEN_UP);
    }

    /** About the bytes that it takes on its way. */
    static int sizeOf(NewTask task) {
        int size = OVERHEAD + task.id().length() + task.content().payload().length;
        for (var header : task.content().headers().entrySet()) {
            size += header.getKey().length() + header.getValue().length();
        }
        return size;
    }

    NewTask task() {
        return task;
    }

    String id() {
        return task.id();
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

    private enum Way {
        OFFERED,
        TAKEN,
        GIVEN_UP
    }
}
