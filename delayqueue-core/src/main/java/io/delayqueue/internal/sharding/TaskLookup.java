// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Shard;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a task where its id belongs and then, if it may have been scheduled with another shard key, in all other
 * shards, a few at a time. While tasks migrate, it asks where they come from before it asks where they go to, so that
 * none slips past; and it goes on after it has found the task, for a process that dies while it migrates a task leaves
 * it in both. What was found stays found when the steps begin anew.
 */
final class TaskLookup<R> {

    private final String queue;
    private final String id;
    private final TaskCall<R> call;
    private final KeyedQueues keyed;
    private final Sweeps sweeps;
    private final long deadline;
    private volatile @Nullable R found;
    private @Nullable QueueLayout missedUnder;
    private @Nullable R miss;

    /** @param deadline by {@link System#nanoTime}; after it no more shards are asked */
    TaskLookup(String queue, String id, TaskCall<R> call, KeyedQueues keyed, Sweeps sweeps, long deadline) {
        this.queue = queue;
        this.id = id;
        this.call = call;
        this.keyed = keyed;
        this.sweeps = sweeps;
        this.deadline = deadline;
    }

    /** The home under this layout, which is at rest, has answered already that the task is not there. */
    TaskLookup<R> afterMiss(QueueLayout layout, R answer) {
        missedUnder = layout;
        miss = answer;
        return this;
    }

    CompletableFuture<@Nullable R> under(QueueLayout layout) {
        return steps(layout).handle((answer, error) -> {
            if (error == null) {
                return answer;
            }
            Throwable cause = Causes.of(error);
            throw new CompletionException(
                    found == null
                            ? cause
                            : TaskFailures.afterAPart(cause, "the task was found in another shard before"));
        });
    }

    private CompletableFuture<@Nullable R> steps(QueueLayout layout) {
        LayoutVersion version = layout.version();
        CompletableFuture<@Nullable R> homes =
                layout.equals(missedUnder) ? CompletableFuture.completedFuture(miss) : homes(layout, version);
        if (layout.span() == 1) {
            return homes;
        }
        return homes.thenCompose(answer -> {
            if (found != null) {
                return CompletableFuture.completedFuture(found);
            }
            return keyed.mayBeElsewhere(queue)
                    .thenCompose(elsewhere -> elsewhere
                            ? everywhere(layout, version).thenApply(last -> last != null ? last : answer)
                            : CompletableFuture.completedFuture(answer));
        });
    }

    private CompletableFuture<@Nullable R> homes(QueueLayout layout, LayoutVersion version) {
        CompletableFuture<@Nullable R> before = CompletableFuture.completedFuture(null);
        for (int home : layout.homesOf(id)) {
            before = before.thenCompose(answer -> (found != null && !layout.isTransition())
                    ? CompletableFuture.completedFuture(answer)
                    : call.in(new Shard(queue, home), version).thenApply(this::noteIfFound));
        }
        return before;
    }

    private CompletableFuture<@Nullable R> everywhere(QueueLayout layout, LayoutVersion version) {
        CompletableFuture<@Nullable R> before = CompletableFuture.completedFuture(null);
        for (List<Integer> shards : sweep(layout)) {
            before = before.thenCompose(answer -> aFewAtATime(shards, version, layout.isTransition())
                    .thenApply(last -> last != null ? last : answer));
        }
        return before.handle((last, error) -> {
            // At rest a task is in one shard, so that what goes wrong in another one does not matter.
            if (error != null && (found == null || layout.isTransition())) {
                throw new CompletionException(Causes.of(error));
            }
            return found != null ? found : last;
        });
    }

    /** At rest the other shards. While tasks migrate, all shards of the oldest layout, then of the next one. */
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

    /** @param all whether also after the task was found */
    private CompletableFuture<@Nullable R> aFewAtATime(List<Integer> shards, LayoutVersion version, boolean all) {
        Iterator<Integer> next = shards.iterator();
        List<CompletableFuture<@Nullable R>> lanes = new ArrayList<>();
        for (int lane = 0; lane < Math.min(Sweeps.CALLS_FOR_ONE_TASK, shards.size()); lane++) {
            lanes.add(oneAfterTheOther(next, version, all, null, null));
        }
        return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new))
                .thenApply(ignored -> lanes.get(0).join());
    }

    /** Goes on after a failure, and fails then. */
    private CompletableFuture<@Nullable R> oneAfterTheOther(
            Iterator<Integer> next, LayoutVersion version, boolean all, @Nullable R last, @Nullable Throwable failure) {
        Integer shard = (found != null && !all) ? null : nextOf(next);
        if (shard == null) {
            return failure != null ? CompletableFuture.failedFuture(failure) : CompletableFuture.completedFuture(last);
        }
        if (System.nanoTime() - deadline >= 0) {
            return CompletableFuture.failedFuture(TaskFailures.lateSweep(queue, id));
        }
        return sweeps.call(() -> System.nanoTime() - deadline >= 0
                        ? CompletableFuture.<R>failedFuture(TaskFailures.lateSweep(queue, id))
                        : call.in(new Shard(queue, shard), version))
                .handle((answer, error) -> error != null
                        ? oneAfterTheOther(next, version, all, last, Causes.of(error))
                        : oneAfterTheOther(next, version, all, noteIfFound(answer), failure))
                .thenCompose(rest -> rest);
    }

    private static @Nullable Integer nextOf(Iterator<Integer> shards) {
        synchronized (shards) {
            return shards.hasNext() ? shards.next() : null;
        }
    }

    private synchronized R noteIfFound(R answer) {
        if (call.isFound(answer)) {
            R before = found;
            found = (before == null) ? answer : call.both(before, answer);
        }
        return answer;
    }
}
