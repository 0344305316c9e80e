// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.TaskOutcome;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.CallsInTurn;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.internal.store.Shard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Sends many tasks in calls of one shard each. Shards are written to at the same time, and so are a few calls of one
 * shard, unless a later one holds an id of an earlier one: it waits, so that of two tasks with one id the later wins. A
 * call carries tasks that ask for the same number of replicas, so that those that ask for none have nothing to do with
 * replicas.
 *
 * <p>The caller's thread waits as long as answers come: when none has for longer than a call may take, the tasks
 * without one are told to be late, and no more are sent.
 */
final class BatchScheduler {

    /** Fewer than a call may carry: Redis runs one while the next is written, and others get their turn in between. */
    static final int TASKS_OF_A_CALL = 128;

    /**
     * Maximum number of concurrent calls of one batch per shard. Where equals have an order it is one: calls may overtake
     * others. Those of other batches and of {@link ShardScheduler} are not waited for.
     */
    static final int CALLS = 4;

    private final ShardedTasks shardedTasks;
    private final ScheduleAnswers answers;
    private final BoundedWait wait;

    BatchScheduler(ShardedTasks shardedTasks, ScheduleAnswers answers, BoundedWait wait) {
        this.shardedTasks = shardedTasks;
        this.answers = answers;
        this.wait = wait;
    }

    /** Schedules and waits; answers in the order of {@code tasks}. */
    List<TaskOutcome> schedule(List<RoutedTask> tasks) {
        List<PendingSchedule> items = tasks.stream().map(PendingSchedule::of).toList();
        CallsInTurn turns = new CallsInTurn();
        Map<Shard, List<PendingSchedule>> byShard = items.stream()
                .collect(Collectors.groupingBy(item -> item.routed().shard(), LinkedHashMap::new, Collectors.toList()));
        CompletableFuture<Void> all = all(byShard.values().stream()
                .map(ofShard -> inSeries(ofShard, turns))
                .toList());
        if (wait.awaitDone(all, turns)) {
            StoreAnswers.await(all);
        }
        return items.stream().map(BatchScheduler::outcome).toList();
    }

    private static TaskOutcome outcome(PendingSchedule item) {
        RoutedTask task = item.routed();
        if (!item.answer().isDone()) {
            return task.failed(item.giveUp());
        }
        try {
            return task.stored(item.answer().join());
        } catch (CompletionException ex) {
            return task.failed(TaskFailures.known(ex));
        }
    }

    private CompletableFuture<Void> inSeries(List<PendingSchedule> ofShard, CallsInTurn turns) {
        CompletableFuture<Void> previous = CompletableFuture.completedFuture(null);
        for (Collection<List<PendingSchedule>> series : series(ofShard)) {
            CompletableFuture<Void> before = previous;
            previous = all(series.stream()
                    .map(alike -> sendCalls(before, calls(alike), turns))
                    .toList());
        }
        return previous;
    }

    private static boolean isOrdered(PendingSchedule item) {
        return item.task().order().amongEquals();
    }

    /**
     * No id comes twice within a series; those that ask for as many replicas are together, and where equals have an order
     * alone.
     */
    private static List<Collection<List<PendingSchedule>>> series(List<PendingSchedule> ofShard) {
        List<Collection<List<PendingSchedule>>> all = new ArrayList<>();
        Map<Integer, List<PendingSchedule>> byReplicas = new TreeMap<>();
        Set<String> ids = new HashSet<>();
        for (PendingSchedule item : ofShard) {
            boolean breaks = isOrdered(item)
                    && !byReplicas.isEmpty()
                    && !byReplicas.containsKey(item.task().replicas());
            if (!ids.add(item.id()) || breaks) {
                all.add(byReplicas.values());
                byReplicas = new TreeMap<>();
                ids.clear();
                ids.add(item.id());
            }
            byReplicas
                    .computeIfAbsent(item.task().replicas(), r -> new ArrayList<>())
                    .add(item);
        }
        all.add(byReplicas.values());
        return all;
    }

    private static List<List<PendingSchedule>> calls(List<PendingSchedule> alike) {
        List<List<PendingSchedule>> calls = new ArrayList<>();
        List<PendingSchedule> call = new ArrayList<>();
        long bytes = 0;
        for (PendingSchedule item : alike) {
            if (call.size() == TASKS_OF_A_CALL || (bytes + item.size() > ShardScheduler.MAX_BYTES && bytes > 0)) {
                calls.add(call);
                call = new ArrayList<>();
                bytes = 0;
            }
            call.add(item);
            bytes += item.size();
        }
        calls.add(call);
        return calls;
    }

    /** Each call waits for the one that is so many before it. */
    private CompletableFuture<Void> sendCalls(
            CompletableFuture<Void> before, List<List<PendingSchedule>> calls, CallsInTurn turns) {
        int most = isOrdered(calls.get(0).get(0)) ? 1 : CALLS;
        List<CompletableFuture<Void>> sent = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            List<PendingSchedule> call = calls.get(i);
            CompletableFuture<Void> turn = (i < most) ? before : sent.get(i - most);
            sent.add(turn.thenCompose(ignored -> send(call, turns)));
        }
        return all(sent);
    }

    /** Those that have to be sent again are sent one after the other. */
    private CompletableFuture<Void> send(List<PendingSchedule> call, CallsInTurn turns) {
        SendPermit permit = new SendPermit();
        List<PendingSchedule> batch =
                call.stream().filter(item -> item.take(permit)).toList();
        if (batch.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        String queue = batch.get(0).routed().shard().queue();
        return Seam.call(() -> shardedTasks.schedule(
                        queue,
                        batch.stream().map(PendingSchedule::task).toList(),
                        permit,
                        (task, reply) -> answers.tell(batch.get(task), reply)))
                .handle((replies, error) -> {
                    permit.end();
                    List<PendingSchedule> again = answers.tell(batch, replies, error);
                    turns.goOn();
                    CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
                    for (PendingSchedule item : again) {
                        before = before.thenCompose(ignored -> send(List.of(item.alone()), turns));
                    }
                    return before;
                })
                .thenCompose(Function.identity());
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<Void>> some) {
        return CompletableFuture.allOf(some.toArray(CompletableFuture[]::new));
    }
}
