// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Shard;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A call on one task in every shard that may hold it. While tasks migrate, it asks the shard that the task comes from
 * before the one that it goes to, and asks both: a process that died while it migrated the task left a copy in each. A
 * task that was found stays found when the lookup is repeated under another layout.
 */
final class TaskLookup<R> {

    private final String queue;
    private final String id;
    private final Predicate<R> isFound;
    private final BinaryOperator<R> ofBoth;
    private final BiFunction<Shard, LayoutVersion, CompletableFuture<R>> call;
    private volatile @Nullable R found;

    /**
     * @param isFound whether an answer says that the task was there
     * @param ofBoth what to answer if the task was found twice
     * @param call makes the call in one shard
     */
    TaskLookup(
            String queue,
            String id,
            Predicate<R> isFound,
            BinaryOperator<R> ofBoth,
            BiFunction<Shard, LayoutVersion, CompletableFuture<R>> call) {
        this.queue = queue;
        this.id = id;
        this.isFound = isFound;
        this.ofBoth = ofBoth;
        this.call = call;
    }

    /** Returns whether an answer says that the task was there. */
    boolean isFound(R answer) {
        return isFound.test(answer);
    }

    /** Calls in one shard only. */
    CompletableFuture<R> in(int shard, LayoutVersion layout) {
        return call.apply(new Shard(queue, shard), layout);
    }

    CompletableFuture<@Nullable R> under(QueueLayout layout) {
        LayoutVersion version = layout.version();
        CompletableFuture<@Nullable R> asked = CompletableFuture.completedFuture(null);
        for (int home : layout.homesOf(id)) {
            asked = asked.thenCompose(before -> in(home, version).thenApply(this::noteIfFound));
        }
        return asked.handle((answer, error) -> {
            R before = found;
            if (error == null) {
                return (before != null) ? before : answer;
            }
            Throwable cause = Causes.of(error);
            throw new CompletionException(
                    before == null
                            ? cause
                            : TaskFailures.afterAPart(cause, "the task was found in another shard before"));
        });
    }

    private R noteIfFound(R answer) {
        if (isFound.test(answer)) {
            R before = found;
            found = (before == null) ? answer : ofBoth.apply(before, answer);
        }
        return answer;
    }
}
