// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.internal.calls.CallThreads;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.concurrent.SignalledRounds;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the tasks that many callers schedule in one shard. A lone caller's task goes out at once; what comes while
 * {@link #CALLS} calls are under way goes together in the next one. Of one id only one task is under way at a time, so
 * that tasks of one id are stored in the order in which they were offered.
 *
 * <p>Rounds of sending own {@code waiting}, {@code idsUnderWay} and {@code calls}; callers leave their task in
 * {@code offered}, and answers in {@code answered}. Nobody waits for anybody.
 */
final class ShardScheduler {

    private static final Logger log = LoggerFactory.getLogger(ShardScheduler.class);

    /**
     * Calls under way at a time: the next one is on its way while Redis runs the one before. Where equals have an order
     * it is one, since calls may overtake others, such as those that wait until the script is sent. Calls of others, such as
     * {@link BatchScheduler}, are not waited for.
     */
    static final int CALLS = 2;

    static final int MAX_BYTES = 1 << 20;

    /** A task that waited longer than this is given up by a timer, not by the store's time-out. */
    private static final long PROMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Shard shard;
    private final ShardedTasks shardedTasks;
    private final CallThreads calling;
    private final ScheduleAnswers answers;
    private final Queue<PendingSchedule> offered = new ConcurrentLinkedQueue<>();
    private final Queue<Answer> answered = new ConcurrentLinkedQueue<>();
    private final SignalledRounds rounds;
    private final Deque<PendingSchedule> waiting = new ArrayDeque<>();
    private final Set<String> idsUnderWay = new HashSet<>();
    private int calls;

    /**
     * @param calling for the library's own part
     * @param answers tells the callers
     */
    ShardScheduler(Shard shard, ShardedTasks shardedTasks, CallThreads calling, ScheduleAnswers answers) {
        this.shard = shard;
        this.shardedTasks = shardedTasks;
        this.calling = calling;
        this.rounds = SignalledRounds.here("Sending the tasks of a shard", calling, this::sendWhatMayGo);
        this.answers = answers;
    }

    void offer(PendingSchedule item) {
        offered.add(item);
        rounds.signal();
    }

    private void sendWhatMayGo() {
        for (Answer answer = answered.poll(); answer != null; answer = answered.poll()) {
            calls--;
            answer.batch().forEach(item -> idsUnderWay.remove(item.id()));
            for (int i = answer.again().size() - 1; i >= 0; i--) {
                waiting.addFirst(answer.again().get(i));
            }
        }
        for (PendingSchedule item = offered.poll(); item != null; item = offered.poll()) {
            waiting.add(item);
        }
        while (!waiting.isEmpty() && calls < mostCalls(waiting.element())) {
            SendPermit permit = new SendPermit();
            List<PendingSchedule> batch = nextBatch(permit);
            if (batch.isEmpty()) {
                return;
            }
            calls++;
            call(batch, permit);
        }
    }

    private static int mostCalls(PendingSchedule next) {
        return next.task().order().amongEquals() ? 1 : CALLS;
    }

    private List<PendingSchedule> nextBatch(SendPermit permit) {
        List<PendingSchedule> batch = new ArrayList<>(Math.min(waiting.size(), TaskStore.MAX_BATCH));
        List<PendingSchedule> held = new ArrayList<>(0);
        long now = System.nanoTime();
        int bytes = 0;
        for (PendingSchedule item = waiting.peek(); item != null; item = waiting.peek()) {
            if (item.deadlineNanos() - now <= 0) {
                waiting.remove();
                answers.fail(List.of(item), PendingSchedule::giveUp);
                continue;
            }
            boolean fits = batch.isEmpty()
                    || (!item.resent() && batch.size() < TaskStore.MAX_BATCH && bytes + item.size() <= MAX_BYTES);
            if (!fits || held.size() == TaskStore.MAX_BATCH) {
                break;
            }
            waiting.remove();
            if (!idsUnderWay.contains(item.id())) {
                if (!item.take(permit)) {
                    continue;
                }
                idsUnderWay.add(item.id());
                batch.add(item);
                bytes += item.size();
                if (item.resent()) {
                    break;
                }
            } else {
                held.add(item);
            }
        }
        for (int i = held.size() - 1; i >= 0; i--) {
            waiting.addFirst(held.get(i));
        }
        return batch;
    }

    private void call(List<PendingSchedule> batch, SendPermit permit) {
        CompletableFuture<List<ScheduleReply>> call = Seam.call(() -> shardedTasks.schedule(
                shard.queue(),
                batch.stream().map(item -> item.task()).toList(),
                permit,
                (task, reply) -> answers.tell(batch.get(task), reply)));
        Seam.run(log, "Tasks of one call may be given up late", () -> giveUpInTime(batch, call));
        call.whenComplete((replies, error) -> {
            boolean unsent = permit.isWithdrawn();
            permit.end();
            List<PendingSchedule> again = new ArrayList<>(0);
            Seam.run(
                    log,
                    "Some callers may not be told of their tasks",
                    () -> again.addAll(unsent ? batch : alone(answers.tell(batch, replies, error))));
            answered.add(new Answer(batch, again));
            rounds.signal();
        });
    }

    private static List<PendingSchedule> alone(List<PendingSchedule> refused) {
        return refused.stream().map(PendingSchedule::alone).toList();
    }

    /**
     * The store's time-out begins now; that of a task began when it was offered. Where that was long ago, so that the
     * task is late before the store gives up, a timer looks after it. If the call was not sent by then, it never is;
     * tasks of it that have time left go in another one.
     */
    private void giveUpInTime(List<PendingSchedule> batch, CompletableFuture<?> call) {
        long now = System.nanoTime();
        PendingSchedule oldest = batch.get(0);
        if (now - oldest.offeredNanos() > PROMPT_NANOS && !call.isDone()) {
            failLateOnes(batch, call, oldest.deadlineNanos() - now);
        }
    }

    private void failLateOnes(List<PendingSchedule> batch, CompletableFuture<?> call, long afterNanos) {
        calling.after(Math.max(afterNanos, PROMPT_NANOS), () -> {
            if (call.isDone()) {
                return;
            }
            long now = System.nanoTime();
            int late = 0;
            while (late < batch.size() && batch.get(late).deadlineNanos() - now <= 0) {
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
