// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.internal.calls.Replicated;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * How many replicas have what a call did that may have asked several shards: the fewest of those where the task was
 * found. Where one shard's replicas have kept the call waiting in vain, it does not wait for those of the next: its
 * time would be over before it could say so.
 */
final class ReplicaCount {

    private final int asked;
    private int whereFound = Integer.MAX_VALUE;
    private int elsewhere = Integer.MAX_VALUE;

    /** @param asked replicas that the call is to reach; 0 if it need not */
    ReplicaCount(int asked) {
        this.asked = asked;
    }

    /** Returns for how many replicas the call in the next shard waits. */
    int toAskFor() {
        return fallsShort() ? 0 : asked;
    }

    /** Notes what a call in one shard reached. */
    <R> CompletableFuture<R> noted(Predicate<R> isFound, CompletableFuture<Replicated<R>> call) {
        return call.thenApply(reply -> {
            note(isFound.test(reply.answer()), reply.replicas());
            return reply.answer();
        });
    }

    private synchronized boolean fallsShort() {
        return Math.min(whereFound, elsewhere) < asked;
    }

    private synchronized void note(boolean found, int replicas) {
        if (found) {
            whereFound = Math.min(whereFound, replicas);
        } else if (!fallsShort()) {
            elsewhere = Math.min(elsewhere, replicas);
        }
    }

    /**
     * Returns the outcome of the call that has ended. Where the task was not found anywhere, those count that know so.
     *
     * @throws TaskNotReplicatedException if fewer replicas than asked for have it
     */
    <R extends Enum<R>> R confirm(String queue, String id, R outcome) {
        int reached = reached();
        if (reached < asked) {
            throw new TaskNotReplicatedException(queue, id, outcome, asked, reached);
        }
        return outcome;
    }

    private synchronized int reached() {
        return (whereFound < Integer.MAX_VALUE) ? whereFound : elsewhere;
    }
}
