// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import java.util.concurrent.CompletableFuture;
import java.util.function.BinaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A call for one task to every shard that may hold it. While tasks migrate, this calls the source shard and then the
 * target shard, always both, because a process that died during a migration may have left a copy in each. If a task was
 * found, it still counts as found when the lookup is repeated with another sharding.
 *
 * <p>The result reports the fewest replicas among the shards where the task was found. If the replicas of one shard do
 * not confirm in time, the lookup does not wait for the replicas of the next shard, because no time would be left to
 * report the failure.
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
     * @param replicas number of required replicas; 0 for none
     * @param isFound returns whether a reply says that the task exists
     * @param ofBoth merges the replies if the task was found twice
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

    String queue() {
        return queue;
    }

    String id() {
        return id;
    }

    boolean isFound(R answer) {
        return isFound.test(answer);
    }

    CompletableFuture<R> in(int shard, ShardingVersion sharding) {
        return call.in(new Shard(queue, shard), sharding, toAskFor()).thenApply(this::noted);
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
            throw TaskFailures.afterAPart(error, before != null, "the task was in another shard before");
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
     * Returns the outcome of the completed call. If no shard had the task, counts the replicas that confirm this.
     *
     * @throws TaskNotReplicatedException if fewer replicas than required confirm it
     */
    synchronized R confirm(R outcome) {
        int reached = (whereFound < Integer.MAX_VALUE) ? whereFound : elsewhere;
        if (reached < replicas) {
            throw new TaskNotReplicatedException(queue, id, (Enum<?>) outcome, replicas, reached);
        }
        return outcome;
    }

    /** A call to one shard for the task, with the number of required replicas. */
    interface Call<R> {

        CompletableFuture<Replicated<R>> in(Shard shard, ShardingVersion sharding, int replicas);
    }
}
