// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskOutcome;
import io.delayqueue.store.NewTask;
import io.delayqueue.store.ScheduleReply;
import io.delayqueue.store.Shard;
import io.delayqueue.store.StoreCalls;
import io.delayqueue.store.TaskStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Sends many tasks with one call per shard and at most 500 tasks. Shards are written to at the same time; the calls of one
 * shard follow each other, so that of two tasks with one id the later wins.
 */
final class BatchScheduler {

    private final TaskStore store;

    BatchScheduler(TaskStore store) {
        this.store = store;
    }

    /** Schedules and waits; answers in the order of {@code tasks}. */
    List<TaskOutcome> schedule(List<RoutedTask> tasks) {
        TaskOutcome[] outcomes = new TaskOutcome[tasks.size()];
        Map<Shard, List<Integer>> byShard = new LinkedHashMap<>();
        for (int i = 0; i < tasks.size(); i++) {
            byShard.computeIfAbsent(tasks.get(i).shard(), s -> new ArrayList<>())
                    .add(i);
        }
        List<CompletableFuture<Void>> shards = new ArrayList<>();
        byShard.forEach((shard, positions) -> {
            CompletableFuture<Void> previous = CompletableFuture.completedFuture(null);
            for (List<Integer> call : calls(positions, tasks)) {
                previous = previous.thenCompose(ignored -> send(shard, call, tasks, outcomes));
            }
            shards.add(previous);
        });
        StoreCalls.await(CompletableFuture.allOf(shards.toArray(CompletableFuture[]::new)));
        return List.of(outcomes);
    }

    /** Cuts where a call is full or would hold an id twice. */
    private static List<List<Integer>> calls(List<Integer> positions, List<RoutedTask> tasks) {
        List<List<Integer>> calls = new ArrayList<>();
        List<Integer> call = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (int position : positions) {
            String id = tasks.get(position).task().id();
            if (call.size() == TaskStore.MAX_BATCH || !ids.add(id)) {
                calls.add(call);
                call = new ArrayList<>();
                ids.clear();
                ids.add(id);
            }
            call.add(position);
        }
        calls.add(call);
        return calls;
    }

    private CompletableFuture<Void> send(
            Shard shard, List<Integer> call, List<RoutedTask> tasks, TaskOutcome[] outcomes) {
        List<NewTask> newTasks = call.stream().map(i -> tasks.get(i).task()).toList();
        return store.schedule(shard, newTasks).handle((replies, error) -> {
            for (int i = 0; i < call.size(); i++) {
                int position = call.get(i);
                String id = newTasks.get(i).id();
                outcomes[position] = (error == null)
                        ? stored(id, replies.get(i))
                        : new TaskOutcome(id, null, asDelayQueueException(error));
            }
            return null;
        });
    }

    private static TaskOutcome stored(String id, ScheduleReply reply) {
        return new TaskOutcome(id, new ScheduleResult(id, reply.outcome(), reply.dueAt()), null);
    }

    private static DelayQueueException asDelayQueueException(Throwable error) {
        Throwable cause =
                (error.getCause() != null && !(error instanceof DelayQueueException)) ? error.getCause() : error;
        return (cause instanceof DelayQueueException known)
                ? known
                : new DelayQueueException("The tasks of one call could not be scheduled; see the cause", cause);
    }

    /**
     * A task and where it goes.
     *
     * @param shard its shard
     * @param task the task
     */
    record RoutedTask(Shard shard, NewTask task) {}
}
