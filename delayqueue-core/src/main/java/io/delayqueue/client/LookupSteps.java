// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.queue.QueueLayout;
import io.delayqueue.store.LayoutStamp;
import io.delayqueue.store.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a task where its id belongs and then, as it may have been scheduled with another routing key, in all other shards.
 * While tasks move, it asks where they come from before it asks where they go to, so that none slips past; and it goes on after
 * it has found the task, for a process that dies while it moves a task leaves it in both. What was found stays found when the
 * steps begin anew.
 */
final class LookupSteps<R> {

    private final String queue;
    private final String id;
    private final ById<R> call;
    private volatile @Nullable R found;

    LookupSteps(String queue, String id, ById<R> call) {
        this.queue = queue;
        this.id = id;
        this.call = call;
    }

    CompletableFuture<@Nullable R> under(QueueLayout layout) {
        return steps(layout).handle((answer, error) -> {
            if (error == null) {
                return answer;
            }
            Throwable cause = TaskHomes.unwrap(error);
            throw new CompletionException(
                    found == null
                            ? cause
                            : TaskFailures.afterAPart(cause, "the task was found in another shard before"));
        });
    }

    private CompletableFuture<@Nullable R> steps(QueueLayout layout) {
        LayoutStamp stamp = TaskHomes.stamp(layout);
        List<List<Integer>> steps = new ArrayList<>();
        layout.homesOf(id).forEach(home -> steps.add(List.of(home)));
        CompletableFuture<@Nullable R> homes = inTurn(steps, stamp, layout.isTransition());
        if (layout.span() == 1) {
            return homes;
        }
        return homes.thenCompose(answer -> {
            if (found != null) {
                return CompletableFuture.completedFuture(found);
            }
            return inTurn(sweep(layout), stamp, layout.isTransition()).handle((last, error) -> {
                // At rest a task is in one shard, so that what goes wrong in another one does not matter.
                if (error != null && (found == null || layout.isTransition())) {
                    throw new CompletionException(TaskHomes.unwrap(error));
                }
                return found != null ? found : (last != null ? last : answer);
            });
        });
    }

    /** At rest the other shards at once. While tasks move, all shards of the oldest layout, then of the next one. */
    private List<List<Integer>> sweep(QueueLayout layout) {
        if (!layout.isTransition()) {
            int home = layout.homeOf(id);
            return List.of(IntStream.range(0, layout.shards())
                    .filter(shard -> shard != home)
                    .boxed()
                    .toList());
        }
        return layout.counts().stream()
                .map(count -> IntStream.range(0, count).boxed().toList())
                .toList();
    }

    private CompletableFuture<@Nullable R> inTurn(List<List<Integer>> steps, LayoutStamp stamp, boolean all) {
        CompletableFuture<@Nullable R> before = CompletableFuture.completedFuture(null);
        for (List<Integer> step : steps) {
            before = before.thenCompose(answer ->
                    (found != null && !all) ? CompletableFuture.completedFuture(answer) : atOnce(step, stamp));
        }
        return before;
    }

    private CompletableFuture<@Nullable R> atOnce(List<Integer> shards, LayoutStamp stamp) {
        List<CompletableFuture<R>> calls = shards.stream()
                .map(shard -> call.in(new Shard(queue, shard), stamp).thenApply(this::noteIfFound))
                .toList();
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new))
                .thenApply(ignored -> calls.isEmpty() ? null : calls.get(0).join());
    }

    private synchronized R noteIfFound(R answer) {
        if (call.isFound(answer)) {
            R before = found;
            found = (before == null) ? answer : call.both(before, answer);
        }
        return answer;
    }
}
