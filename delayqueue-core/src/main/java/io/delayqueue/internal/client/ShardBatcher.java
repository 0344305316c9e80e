// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.concurrent.CallBatcher;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.transaction.TaskChanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches tasks for one shard, either from many callers or from one caller with many tasks. Tasks that wait for
 * replicas are sent in separate calls, because their replies take longer.
 */
record ShardBatcher(ShardedTasks shardedTasks, Scheduler calling, BatchAnswers answers, IntConsumer progress)
        implements CallBatcher.Calls<PendingSchedule> {

    private static final Logger log = LoggerFactory.getLogger(ShardBatcher.class);

    static final int SHARED_CALLS = 2;
    static final int BULK_CALLS = 4;
    static final int BULK_TASKS = TaskChanges.TASKS_OF_A_CALL;

    /**
     * The longest wait before sending for which no timer is set. After a longer wait, a timer enforces the time-out of
     * the task.
     */
    private static final long PROMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Returns a batcher for the tasks of many callers. A second call is sent while Redis executes the first. */
    static CallBatcher<PendingSchedule> shared(ShardedTasks shardedTasks, Scheduler calling, BatchAnswers answers) {
        return new ShardBatcher(shardedTasks, calling, answers, done -> {}).batcher(SHARED_CALLS, TaskStore.MAX_BATCH);
    }

    /**
     * Returns a batcher for the many tasks of one caller. Its calls are small, so that calls of other callers can run
     * in between.
     *
     * @param progress receives the number of completed tasks after each call
     */
    static CallBatcher<PendingSchedule> bulk(
            ShardedTasks shardedTasks, Scheduler calling, BatchAnswers answers, IntConsumer progress) {
        return new ShardBatcher(shardedTasks, calling, answers, progress).batcher(BULK_CALLS, BULK_TASKS);
    }

    private CallBatcher<PendingSchedule> batcher(int maxCalls, int maxTasks) {
        return new CallBatcher<>(
                "Sending the tasks of a shard",
                this,
                maxCalls,
                maxTasks,
                TaskChanges.BYTES_OF_A_CALL,
                calling::execute,
                calling::after);
    }

    @Override
    public String idOf(PendingSchedule item) {
        return item.id();
    }

    @Override
    public int sizeOf(PendingSchedule item) {
        return item.size();
    }

    /** Returns whether the task has timed out, so that it is never sent. */
    @Override
    public boolean isGivenUp(PendingSchedule item) {
        boolean late = item.isLate(System.nanoTime());
        if (late) {
            answers.fail(List.of(item), PendingSchedule::giveUp);
        }
        return late;
    }

    @Override
    public boolean mayJoin(PendingSchedule item, PendingSchedule first) {
        return !item.isAlone()
                && !first.isAlone()
                && item.task().replicas() == first.task().replicas();
    }

    @Override
    public CompletableFuture<CallBatcher.End<PendingSchedule>> send(List<PendingSchedule> offered) {
        SendPermit permit = new SendPermit();
        List<PendingSchedule> batch = new ArrayList<>(offered);
        batch.removeIf(item -> !item.take(permit));
        if (batch.isEmpty()) {
            return CompletableFuture.completedFuture(new CallBatcher.End<>(List.of(), Duration.ZERO));
        }
        CompletableFuture<List<ScheduleReply>> call;
        try {
            call = shardedTasks.schedule(
                    batch.get(0).shard().queue(),
                    batch.stream().map(PendingSchedule::task).toList(),
                    permit,
                    (reply, task) -> answers.tellStored(batch.get(task), reply));
        } catch (Throwable ex) {
            call = CompletableFuture.failedFuture(ex);
        }
        giveUpInTime(batch, call);
        return call.handle((replies, error) -> ended(batch, permit, replies, error));
    }

    private CallBatcher.End<PendingSchedule> ended(
            List<PendingSchedule> batch,
            SendPermit permit,
            @Nullable List<ScheduleReply> replies,
            @Nullable Throwable error) {
        boolean unsent = permit.isWithdrawn();
        permit.end();
        List<PendingSchedule> again = new ArrayList<>(0);
        Guard.run(
                log,
                "Could not complete all callers of a call; some may not receive their results",
                () -> again.addAll(unsent ? batch : alone(answers.tell(batch, replies, error))));
        progress.accept(batch.size() - again.size());
        return new CallBatcher.End<>(again, Duration.ZERO);
    }

    private static List<PendingSchedule> alone(List<PendingSchedule> refused) {
        refused.forEach(PendingSchedule::sendAlone);
        return refused;
    }

    /**
     * Enforces the time-out of tasks. The time-out of the store starts with the call, but the time-out of a task starts
     * when the task is offered, so a task that has waited for long times out first. If its call has not been sent by
     * then, the call is dropped and its other tasks are sent in another call.
     */
    private void giveUpInTime(List<PendingSchedule> batch, CompletableFuture<?> call) {
        long now = System.nanoTime();
        PendingSchedule oldest = batch.get(0);
        if (oldest.hasTimeout() && now - oldest.offeredNanos() > PROMPT_NANOS && !call.isDone()) {
            Guard.run(
                    log,
                    "Could not schedule the time-out of tasks that wait for Redis; they may time out late",
                    () -> failLateOnes(batch, call, oldest.deadlineNanos() - now));
        }
    }

    private void failLateOnes(List<PendingSchedule> batch, CompletableFuture<?> call, long afterNanos) {
        calling.after(Duration.ofNanos(Math.max(afterNanos, PROMPT_NANOS)), () -> {
            if (call.isDone()) {
                return;
            }
            long now = System.nanoTime();
            int late = 0;
            while (late < batch.size() && batch.get(late).isLate(now)) {
                late++;
            }
            answers.fail(batch.subList(0, late), PendingSchedule::giveUp);
            if (late < batch.size()) {
                List<PendingSchedule> left = batch.subList(late, batch.size());
                failLateOnes(left, call, left.get(0).deadlineNanos() - now);
            }
        });
    }
}
