// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.admin.QueueSharding;
import io.delayqueue.admin.ReshardException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingRecord;
import io.delayqueue.internal.store.TaskStore;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes the number of shards of a queue, one change at a time. */
public final class Resharding {

    private static final Logger log = LoggerFactory.getLogger(Resharding.class);

    private final TaskStore store;
    private final Shardings shardings;

    public Resharding(TaskStore store, Shardings shardings) {
        this.store = store;
        this.shardings = shardings;
    }

    /** The sharding in force, as recorded now. */
    public QueueSharding sharding(String queue) {
        return info(answer(queue, shardings.refresh(queue)));
    }

    /**
     * An operator's change.
     *
     * @throws ReshardException if the number is out of range, or another change is under way and this one does not turn it
     *     back
     */
    public QueueSharding reshard(String queue, int shards) {
        return change(queue, shards, sharding -> sharding.shards() != shards, Sharding::configured);
    }

    /**
     * What a process asks for that is configured with this number: a change where the last such change had another one.
     * Else the record wins, which an operator may have changed.
     *
     * @throws ReshardException as {@link #reshard}
     */
    public QueueSharding configure(String queue, int shards) {
        return change(queue, shards, sharding -> sharding.configured() != shards, sharding -> shards);
    }

    private QueueSharding change(
            String queue, int shards, Predicate<Sharding> isNeeded, ToIntFunction<Sharding> configured) {
        if (shards < 1 || shards > Sharding.MOST_SHARDS) {
            throw new ReshardException("Queue '" + queue + "' cannot be spread over " + shards + " shards; 1 to "
                    + Sharding.MOST_SHARDS + " are possible");
        }
        Sharding sharding = answer(queue, shardings.refresh(queue));
        // A change must not begin at a sharding that a failover has brought back.
        if (answer(queue, shardings.newestSeen(queue, sharding.span())).epoch() > sharding.epoch()) {
            sharding = answer(queue, shardings.refresh(queue));
        }
        while (isNeeded.test(sharding)) {
            if (!sharding.canBecome(shards)) {
                throw new ReshardException("Queue '" + queue + "' was not resharded to " + shards
                        + " shards: its tasks still migrate from " + sharding.earlier() + " to " + sharding.shards()
                        + " shards. Try again when they are in their shards, for which a process that scans the queue has"
                        + " to run; or reshard the queue to " + sharding.earlier() + " to turn the change back");
            }
            Sharding next = sharding.reshardedTo(shards, configured.applyAsInt(sharding));
            alignPauses(queue, sharding, next);
            ShardingRecord answer = answer(
                    queue, store.shardings().putSharding(queue, sharding.epoch(), sharding.epoch(), next.change()));
            if (answer.recorded()) {
                // Somebody may have paused or resumed the queue meanwhile, in the shards that it had.
                alignPauses(queue, sharding, next);
                log.info("Queue '{}': resharded from {} to {} shard(s)", queue, sharding.shards(), shards);
            }
            sharding = answer.text().isEmpty()
                    ? answer(queue, shardings.refresh(queue))
                    : shardings.adopt(queue, Sharding.parse(queue, answer.text()));
        }
        return info(sharding);
    }

    /**
     * Shards that begin to be used are paused if the queue is, and not if it is not: one may be left over from earlier.
     */
    private void alignPauses(String queue, Sharding before, Sharding after) {
        boolean paused = false;
        for (int shard = 0; shard < before.span() && !paused; shard++) {
            paused =
                    answer(queue, store.shards().stats(new Shard(queue, shard))).paused();
        }
        for (int shard = before.span(); shard < after.span(); shard++) {
            answer(
                    queue,
                    paused
                            ? store.shards().pause(new Shard(queue, shard))
                            : store.shards().resume(new Shard(queue, shard)));
        }
    }

    private <T> T answer(String queue, CompletableFuture<T> call) {
        return new BoundedWait(store.callTimeout()).answer(call, "Queue '" + queue + "', its number of shards");
    }

    private static QueueSharding info(Sharding sharding) {
        return new QueueSharding(
                sharding.shards(),
                sharding.configured(),
                sharding.isMigrating() ? OptionalInt.of(sharding.earlier()) : OptionalInt.empty());
    }
}
