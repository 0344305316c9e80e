// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.internal.calls.CallThreads;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.SignalledRounds;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches the tasks that are stored in one shard by its capacity: a task is sent at once while fewer than {@code maxCalls}
 * calls are in progress. The tasks that arrive later go together in the next call. Only one task of an id is in progress at
 * a time, so that tasks of one id are stored in the order in which they were offered.
 *
 * <p>Rounds of sending own {@code waiting}, {@code idsInProgress} and {@code calls}. Callers put tasks into {@code offered},
 * calls put their ends into {@code answered}. No thread blocks.
 */
final class ShardBatcher {

    private static final Logger log = LoggerFactory.getLogger(ShardBatcher.class);

    static final int SHARED_CALLS = 2;
    static final int BULK_CALLS = 4;
    static final int BULK_TASKS = 128;
    static final int MAX_BYTES = 1 << 20;

    /** For tasks that waited longer than this before they were sent, a timer enforces the time-out. */
    private static final long PROMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final int maxCalls;
    private final int maxTasks;
    private final ShardedTasks shardedTasks;
    private final CallThreads calling;
    private final BatchAnswers answers;
    private final IntConsumer progress;
    private final Queue<PendingSchedule> offered = new ConcurrentLinkedQueue<>();
    private final Queue<Answer> answered = new ConcurrentLinkedQueue<>();
    private final SignalledRounds rounds;

    private final Deque<PendingSchedule> waiting = new ArrayDeque<>();
    private final Set<String> idsInProgress = new HashSet<>();
    private int calls;

    /**
     * @param maxCalls calls in progress at a time
     * @param maxTasks of a call
     * @param progress told after each call how many of its tasks are done
     */
    private ShardBatcher(
            int maxCalls,
            int maxTasks,
            ShardedTasks shardedTasks,
            CallThreads calling,
            BatchAnswers answers,
            IntConsumer progress) {
        this.maxCalls = maxCalls;
        this.maxTasks = maxTasks;
        this.shardedTasks = shardedTasks;
        this.calling = calling;
        this.answers = answers;
        this.progress = progress;
        this.rounds = SignalledRounds.here("Sending the tasks of a shard", calling, this::sendWaiting);
    }

    /** Batches tasks of many callers. A second call is sent while Redis runs the first. */
    static ShardBatcher shared(ShardedTasks shardedTasks, CallThreads calling, BatchAnswers answers) {
        return new ShardBatcher(SHARED_CALLS, TaskStore.MAX_BATCH, shardedTasks, calling, answers, done -> {});
    }

    /** Batches the many tasks of one caller. Its calls are small enough to let other callers have their turn in between. */
    static ShardBatcher bulk(
            ShardedTasks shardedTasks, CallThreads calling, BatchAnswers answers, IntConsumer progress) {
        return new ShardBatcher(BULK_CALLS, BULK_TASKS, shardedTasks, calling, answers, progress);
    }

    void offer(PendingSchedule item) {
        offered.add(item);
        rounds.signal();
    }

    void offerAll(Collection<PendingSchedule> items) {
        offered.addAll(items);
        rounds.signal();
    }

    private void sendWaiting() {
        takeUp();
        while (!waiting.isEmpty() && calls < maxCalls) {
            SendPermit permit = new SendPermit();
            List<PendingSchedule> batch = nextBatch(permit);
            if (batch.isEmpty()) {
                return;
            }
            calls++;
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
            call.whenComplete((replies, error) -> ended(batch, permit, replies, error));
        }
    }

    private void takeUp() {
        for (Answer answer = answered.poll(); answer != null; answer = answered.poll()) {
            calls--;
            answer.batch().forEach(item -> idsInProgress.remove(item.id()));
            putBack(answer.again());
        }
        for (PendingSchedule item = offered.poll(); item != null; item = offered.poll()) {
            waiting.add(item);
        }
    }

    private List<PendingSchedule> nextBatch(SendPermit permit) {
        List<PendingSchedule> batch = new ArrayList<>(Math.min(waiting.size(), maxTasks));
        List<PendingSchedule> held = new ArrayList<>(0);
        long now = System.nanoTime();
        int bytes = 0;
        while (!waiting.isEmpty() && batch.size() < maxTasks) {
            PendingSchedule item = waiting.element();
            if (item.isLate(now)) {
                waiting.remove();
                answers.fail(List.of(item), PendingSchedule::giveUp);
            } else if (idsInProgress.contains(item.id())) {
                if (held.size() == TaskStore.MAX_BATCH) {
                    break;
                }
                held.add(waiting.remove());
            } else if (batch.isEmpty() || mayJoin(item, batch.get(0), bytes)) {
                waiting.remove();
                if (item.take(permit)) {
                    idsInProgress.add(item.id());
                    batch.add(item);
                    bytes += item.size();
                }
            } else {
                break;
            }
        }
        putBack(held);
        return batch;
    }

    /** Tasks that ask for replicas go in calls of their own, as their answers come later. */
    private static boolean mayJoin(PendingSchedule item, PendingSchedule first, int bytes) {
        return !item.isAlone()
                && !first.isAlone()
                && item.task().replicas() == first.task().replicas()
                && bytes + item.size() <= MAX_BYTES;
    }

    private void putBack(List<PendingSchedule> items) {
        for (int i = items.size() - 1; i >= 0; i--) {
            waiting.addFirst(items.get(i));
        }
    }

    private void ended(
            List<PendingSchedule> batch,
            SendPermit permit,
            @Nullable List<ScheduleReply> replies,
            @Nullable Throwable error) {
        boolean unsent = permit.isWithdrawn();
        permit.end();
        List<PendingSchedule> again = new ArrayList<>(0);
        Guard.run(
                log,
                "Some callers may not be told of their tasks",
                () -> again.addAll(unsent ? batch : alone(answers.tell(batch, replies, error))));
        answered.add(new Answer(batch, again));
        rounds.signal();
        progress.accept(batch.size() - again.size());
    }

    private static List<PendingSchedule> alone(List<PendingSchedule> refused) {
        refused.forEach(PendingSchedule::sendAlone);
        return refused;
    }

    /**
     * The store's time-out begins with the call, that of a task when it was offered. A task that has waited for long is late
     * before the store gives up. If its call was not sent by then, it never is; its other tasks go in another call.
     */
    private void giveUpInTime(List<PendingSchedule> batch, CompletableFuture<?> call) {
        long now = System.nanoTime();
        PendingSchedule oldest = batch.get(0);
        if (oldest.hasTimeout() && now - oldest.offeredNanos() > PROMPT_NANOS && !call.isDone()) {
            Guard.run(
                    log,
                    "Tasks of one call may be given up late",
                    () -> failLateOnes(batch, call, oldest.deadlineNanos() - now));
        }
    }

    private void failLateOnes(List<PendingSchedule> batch, CompletableFuture<?> call, long afterNanos) {
        calling.after(Math.max(afterNanos, PROMPT_NANOS), () -> {
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

    /** @param again those of the batch that have to be sent again */
    private record Answer(List<PendingSchedule> batch, List<PendingSchedule> again) {}
}
