// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** What all processes of a queue did, and which of them has which shard. */
final class ClusterFigures {

    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    private final DelayQueueAdmin admin;
    private final TaskStore store;
    private final ShardOwnership ownership;
    private final BoundedWait wait;

    ClusterFigures(DelayQueueAdmin admin, TaskStore store, ShardOwnership ownership) {
        this.admin = admin;
        this.store = store;
        this.ownership = ownership;
        this.wait = BoundedWait.of(store);
    }

    QueueRates rates(String queue, Instant from, Instant until) {
        Duration span = Duration.between(from, until);
        boolean known = !from.isBefore(Instant.EPOCH) && until.isBefore(END);
        if (!known || span.isNegative() || span.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "Rates are asked for 'from' a moment 'until' a later one, for a day at most, but " + from + " to "
                            + until + " was asked for");
        }
        return new QueueRates(
                queue,
                wait.answer(store.rates().minutes(queue, from, until), "Queue '" + queue + "', rates").stream()
                        .map(QueueRates.Minute::of)
                        .toList());
    }

    List<ShardOwner> owners(String queue) {
        int shards = admin.layout(queue).shards();
        return wait.answer(owners(queue, shards), "Queue '" + queue + "', owners of its shards");
    }

    CompletableFuture<List<ShardOwner>> owners(String queue, int shards) {
        return ownership
                .owners(queue, shards)
                .thenApply(known -> known.isEmpty()
                        ? IntStream.range(0, shards)
                                .mapToObj(shard -> new ShardOwner(shard, null))
                                .toList()
                        : known.stream()
                                .map(owner -> new ShardOwner(owner.shard(), owner.process()))
                                .toList());
    }
}
