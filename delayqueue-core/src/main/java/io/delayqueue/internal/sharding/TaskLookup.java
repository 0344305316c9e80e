// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A call on one task in every shard that may hold it. While tasks migrate, it asks the shard that the task comes from
 * before the one that it goes to, and asks both: a process that died while it migrated the task left a copy in each. A
 * task that was found stays found when the lookup is repeated under another sharding.
 *
 * <p>The fewest replicas of the shards where the task was found count. Where one shard's replicas have kept the call waiting
 * in vain, it does not wait for those of the next: its time would be over before it could say so.
 */
final class TaskLookup<R> {

    private final String queue;
    private final String id;
    private final int replicas;
    private final Predicate<R> isFound;
    private final BinaryOperator<R> ofBoth;
    private final Call<R> call;
    private @Nullable R found;
    private int whereFound = Integer.MAX_VALUE;
    private int elsewhere = Integer.MAX_VALUE;

    /**
     * @param replicas that the call is to reach; 0 if it need not
     * @param isFound whether an answer says that the task was there
     * @param ofBoth what to answer if the task was found twice
     * @param call makes the call in one shard
     */
    TaskLookup(String queue, String id, int replicas, Predicate<R> isFound, BinaryOperator<R> ofBoth, Call<R> call) {
        this.queue = queue;
        this.id = id;
        this.replicas = replicas;
        this.isFound = isFound;
        this.ofBoth = ofBoth;
        this.call = call;
    }

    String id() {
        return id;
    }

    /** Returns whether an answer says that the task was there. */
    boolean isFound(R answer) {
        return isFound.test(answer);
    }

    /** Calls in one shard only. */
    CompletableFuture<R> in(int shard, ShardingVersion sharding) {
        return call.in(new Shard(queue, shard), sharding, id, toAskFor()).thenApply(this::noted);
    }

    CompletableFuture<@Nullable R> under(Sharding sharding) {
        ShardingVersion version = sharding.version();
        CompletableFuture<@Nullable R> asked = CompletableFuture.completedFuture(null);
        for (int home : sharding.homesOf(id)) {
            asked = asked.thenCompose(before -> in(home, version));
        }
        return asked.handle((answer, error) -> {
            R before = found();
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

    private synchronized @Nullable R found() {
        return found;
    }

    private synchronized int toAskFor() {
        return Math.min(whereFound, elsewhere) < replicas ? 0 : replicas;
    }

    private synchronized R noted(Replicated<R> reply) {
        R answer = reply.answer();
        if (isFound.test(answer)) {
            found = (found == null) ? answer : ofBoth.apply(found, answer);
            whereFound = Math.min(whereFound, reply.replicas());
        } else if (Math.min(whereFound, elsewhere) >= replicas) {
            elsewhere = Math.min(elsewhere, reply.replicas());
        }
        return answer;
    }

    /**
     * Returns the outcome of the call that has ended. Where the task was not found anywhere, those replicas count that know
     * so.
     *
     * @throws TaskNotReplicatedException if fewer than asked for have it
     */
    synchronized R confirm(R outcome) {
        int reached = (whereFound < Integer.MAX_VALUE) ? whereFound : elsewhere;
        if (reached < replicas) {
            throw new TaskNotReplicatedException(queue, id, (Enum<?>) outcome, replicas, reached);
        }
        return outcome;
    }

    /** A call on a task in one shard, of which so many replicas are to know. */
    interface Call<R> {

        CompletableFuture<Replicated<R>> in(Shard shard, ShardingVersion sharding, String id, int replicas);
    }
}
