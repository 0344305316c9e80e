// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskOutcome;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.sharding.PartlyScheduledException;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Sends many tasks in calls of one shard each. Shards are written to at the same time, and so are a few calls of one
 * shard, unless a later one holds an id of an earlier one: it waits, so that of two tasks with one id the later wins. A
 * call carries tasks that ask for the same number of replicas, so that those that ask for none have nothing to do with
 * replicas.
 */
final class BatchScheduler {

    /** Fewer than a call may carry: Redis runs one while the next is written, and others get their turn in between. */
    static final int TASKS_OF_A_CALL = 128;

    /** Maximum number of concurrent calls per shard. */
    static final int CALLS = 4;

    private final ShardedTasks shardedTasks;
    private final BoundedWait wait;

    BatchScheduler(ShardedTasks shardedTasks, BoundedWait wait) {
        this.shardedTasks = shardedTasks;
        this.wait = wait;
    }

    /** Schedules and waits; answers in the order of {@code tasks}. */
    List<TaskOutcome> schedule(List<RoutedTask> tasks) {
        BatchReport outcomes = new BatchReport(tasks);
        Map<Shard, List<Integer>> byShard = new LinkedHashMap<>();
        for (int i = 0; i < tasks.size(); i++) {
            byShard.computeIfAbsent(tasks.get(i).shard(), s -> new ArrayList<>())
                    .add(i);
        }
        List<CompletableFuture<Void>> sent = new ArrayList<>();
        byShard.forEach((shard, positions) -> {
            CompletableFuture<Void> previous = CompletableFuture.completedFuture(null);
            for (List<Integer> series : series(positions, tasks)) {
                previous = sendSeries(previous, shard, series, tasks, outcomes);
            }
            sent.add(previous);
        });
        return outcomes.await(CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)), wait);
    }

    /** No id comes twice within a series. */
    private static List<List<Integer>> series(List<Integer> positions, List<RoutedTask> tasks) {
        List<List<Integer>> all = new ArrayList<>();
        List<Integer> series = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (int position : positions) {
            String id = tasks.get(position).task().id();
            if (!ids.add(id)) {
                all.add(series);
                series = new ArrayList<>();
                ids.clear();
                ids.add(id);
            }
            series.add(position);
        }
        all.add(series);
        return all;
    }

    private CompletableFuture<Void> sendSeries(
            CompletableFuture<Void> before,
            Shard shard,
            List<Integer> series,
            List<RoutedTask> tasks,
            BatchReport outcomes) {
        Map<Integer, List<Integer>> byReplicas = new TreeMap<>();
        for (int position : series) {
            byReplicas
                    .computeIfAbsent(tasks.get(position).task().replicas(), r -> new ArrayList<>())
                    .add(position);
        }
        return CompletableFuture.allOf(byReplicas.values().stream()
                .map(alike -> sendCalls(before, shard, calls(alike, tasks), tasks, outcomes))
                .toArray(CompletableFuture[]::new));
    }

    private static List<List<Integer>> calls(List<Integer> positions, List<RoutedTask> tasks) {
        List<List<Integer>> calls = new ArrayList<>();
        List<Integer> call = new ArrayList<>();
        long bytes = 0;
        for (int position : positions) {
            int size = PendingSchedule.sizeOf(tasks.get(position).task());
            if (call.size() == TASKS_OF_A_CALL || (bytes + size > ShardScheduler.MAX_BYTES && bytes > 0)) {
                calls.add(call);
                call = new ArrayList<>();
                bytes = 0;
            }
            call.add(position);
            bytes += size;
        }
        calls.add(call);
        return calls;
    }

    /** Each call waits for the one that is {@link #CALLS} before it. */
    private CompletableFuture<Void> sendCalls(
            CompletableFuture<Void> before,
            Shard shard,
            List<List<Integer>> calls,
            List<RoutedTask> tasks,
            BatchReport outcomes) {
        List<CompletableFuture<Void>> sent = new ArrayList<>(calls.size());
        for (int i = 0; i < calls.size(); i++) {
            List<Integer> call = calls.get(i);
            CompletableFuture<Void> turn = (i < CALLS) ? before : sent.get(i - CALLS);
            sent.add(turn.thenCompose(ignored -> send(shard, call, tasks, outcomes)));
        }
        return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> send(
            Shard shard, List<Integer> call, List<RoutedTask> tasks, BatchReport outcomes) {
        if (!outcomes.take(call)) {
            return CompletableFuture.completedFuture(null);
        }
        List<NewTask> newTasks = call.stream().map(i -> tasks.get(i).task()).toList();
        CompletableFuture<List<ScheduleReply>> answer = Seam.call(() -> shardedTasks.schedule(shard.queue(), newTasks));
        return answer.handle((replies, error) -> {
                    if (error != null && Causes.of(error) instanceof PartlyScheduledException part) {
                        return sendRest(shard, call, tasks, outcomes, part);
                    }
                    if (error != null && call.size() > 1 && !TaskFailures.concernsAll(TaskFailures.known(error))) {
                        // Some of them, but it is not known which, are refused.
                        return sendSingly(shard, call, tasks, outcomes);
                    }
                    for (int i = 0; i < call.size(); i++) {
                        RoutedTask task = tasks.get(call.get(i));
                        outcomes.tell(
                                call.get(i),
                                (error == null) ? task.stored(replies.get(i)) : task.failed(TaskFailures.known(error)));
                    }
                    return CompletableFuture.<Void>completedFuture(null);
                })
                .thenCompose(Function.identity());
    }

    /** Those that are stored are told; the others are sent once more by themselves where that may help. */
    private CompletableFuture<Void> sendRest(
            Shard shard,
            List<Integer> call,
            List<RoutedTask> tasks,
            BatchReport outcomes,
            PartlyScheduledException part) {
        DelayQueueException failure = TaskFailures.known(part.reason());
        List<Integer> rest = new ArrayList<>();
        for (int i = 0; i < call.size(); i++) {
            ScheduleReply reply = part.replies().get(i);
            RoutedTask task = tasks.get(call.get(i));
            if (reply != null) {
                outcomes.tell(call.get(i), task.stored(reply));
            } else {
                outcomes.tell(call.get(i), task.failed(failure));
                rest.add(call.get(i));
            }
        }
        return TaskFailures.concernsAll(failure)
                ? CompletableFuture.completedFuture(null)
                : sendSingly(shard, rest, tasks, outcomes);
    }

    private CompletableFuture<Void> sendSingly(
            Shard shard, List<Integer> call, List<RoutedTask> tasks, BatchReport outcomes) {
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        for (int position : call) {
            before = before.thenCompose(ignored -> send(shard, List.of(position), tasks, outcomes));
        }
        return before;
    }
}
