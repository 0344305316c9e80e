// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.admin.QueuePause;
import io.delayqueue.internal.store.ShardStats;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The latest figures of a queue, summed over its shards, which are queried one after another.
 *
 * @param overdue time that the longest overdue task of all shards has waited since it was due
 * @param dueWithin number of tasks for each time in {@link #AHEAD}
 * @param takenNanos time when the last shard answered, by {@link System#nanoTime()}
 */
public record QueueOutlook(
        long live,
        long heldBack,
        long due,
        long leased,
        long dead,
        @Nullable QueuePause pause,
        Duration overdue,
        List<Long> dueWithin,
        long takenNanos) {

    /** The periods from now for which due tasks are counted. */
    public static final List<Duration> AHEAD =
            List.of(Duration.ofMinutes(1), Duration.ofMinutes(10), Duration.ofHours(1));

    public static QueueOutlook of(List<ShardStats> shards, long takenNanos) {
        return new QueueOutlook(
                shards.stream().mapToLong(ShardStats::live).sum(),
                shards.stream().mapToLong(ShardStats::heldBack).sum(),
                shards.stream().mapToLong(ShardStats::due).sum(),
                shards.stream().mapToLong(ShardStats::leased).sum(),
                shards.stream().mapToLong(ShardStats::dead).sum(),
                shards.stream()
                        .map(ShardStats::pause)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null),
                shards.stream()
                        .map(ShardStats::overdue)
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO),
                IntStream.range(0, AHEAD.size())
                        .mapToObj(i -> shards.stream()
                                .mapToLong(shard -> shard.dueWithin().get(i))
                                .sum())
                        .toList(),
                takenNanos);
    }

    /** Returns the number of tasks that are not yet due. A task whose lease has expired counts as due and as leased. */
    public long delayed() {
        return Math.max(0, live - heldBack - due - leased);
    }

    public boolean paused() {
        return pause != null;
    }
}
