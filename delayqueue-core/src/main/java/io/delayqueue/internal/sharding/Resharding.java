// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.Due;
import io.delayqueue.admin.QueuePause;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.admin.ReshardException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingRecord;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes the number of shards of a queue, one change at a time. */
public record Resharding(TaskStore store, Shardings shardings) {

    private static final Logger log = LoggerFactory.getLogger(Resharding.class);

    public QueueSharding sharding(String queue) {
        return info(answer(queue, shardings.refresh(queue)));
    }

    /**
     * Changes the number of shards for an operator.
     *
     * @throws ReshardException if the number is out of range, or if another change is in progress that this one does
     *     not revert
     */
    public QueueSharding reshard(String queue, int shards) {
        return change(queue, shards, sharding -> sharding.shards() != shards, Sharding::configured);
    }

    /**
     * Changes the number of shards to that of a process's configuration, if the last configured number was different.
     * Otherwise the recorded number takes precedence, because an operator may have set it.
     *
     * @throws ReshardException as for {@link #reshard}
     */
    public QueueSharding configure(String queue, int shards) {
        return change(queue, shards, sharding -> sharding.configured() != shards, sharding -> shards);
    }

    private QueueSharding change(
            String queue, int shards, Predicate<Sharding> isNeeded, ToIntFunction<Sharding> configured) {
        if (shards < 1 || shards > Sharding.MOST_SHARDS) {
            throw new ReshardException("Queue '" + queue + "' cannot have " + shards + " shards; 1 to "
                    + Sharding.MOST_SHARDS + " are allowed");
        }
        Sharding sharding = answer(queue, shardings.refresh(queue));
        // A change must not start from an older sharding that a failover has brought back.
        if (answer(queue, shardings.newestSeen(queue, sharding.span())).epoch() > sharding.epoch()) {
            sharding = answer(queue, shardings.refresh(queue));
        }
        while (isNeeded.test(sharding)) {
            if (!sharding.canBecome(shards)) {
                throw new ReshardException("Queue '" + queue + "' was not resharded to " + shards
                        + " shards: its tasks still migrate from " + sharding.earlier() + " to " + sharding.shards()
                        + " shards. Retry when the migration is complete, which requires a process that "
                        + "scans the queue; or reshard the queue to " + sharding.earlier() + " to revert the change");
            }
            Sharding next = sharding.reshardedTo(shards, configured.applyAsInt(sharding));
            alignPauses(queue, sharding, next);
            ShardingRecord answer = answer(
                    queue, store.shardings().putSharding(queue, sharding.epoch(), sharding.epoch(), next.change()));
            if (answer.recorded()) {
                // In the meantime, an operator may have paused or resumed the queue in its earlier shards.
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
     * Pauses newly used shards if the queue is paused. Otherwise resumes them, because they may still have an earlier
     * pause. Repeats this if an operator pauses or resumes the queue in the meantime.
     */
    private void alignPauses(String queue, Sharding before, Sharding after) {
        QueuePause found = pause(queue, before);
        QueuePause pause;
        do {
            pause = found;
            Instant end = pause == null ? null : pause.until();
            Due until = end == null ? null : Due.at(end);
            for (int index = before.span(); index < after.span(); index++) {
                Shard shard = new Shard(queue, index);
                answer(
                        queue,
                        pause == null
                                ? store.shards().resume(shard)
                                : store.shards().pause(shard, until, pause.by(), pause.reason()));
            }
            found = pause(queue, before);
        } while (!Objects.equals(pause, found));
    }

    /** Returns the pause of the first shard that is paused; null if none is. */
    private @Nullable QueuePause pause(String queue, Sharding sharding) {
        QueuePause pause = null;
        for (int shard = 0; shard < sharding.span() && pause == null; shard++) {
            pause = answer(queue, store.shards().stats(new Shard(queue, shard))).pause();
        }
        return pause;
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
