// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.Due;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.DueCountsRequest;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardDueKinds;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Counts the live tasks of a queue by time, one shard after another. */
record DueTimes(TaskStore store, BoundedWait replies) {

    private static final Instant END = Instant.ofEpochMilli(Due.MAX_EPOCH_MILLIS);

    /** Maximum number of calls per shard. Each call reads a thousand records. */
    private static final int MOST_CALLS = 10;

    /** Returns the shards that may have tasks of a queue, including the earlier shards during a reshard. */
    static List<Shard> shards(DelayQueueAdmin admin, String queue) {
        QueueSharding sharding = admin.sharding(queue);
        int all = Math.max(sharding.shards(), sharding.migratingFrom().orElse(0));
        return IntStream.range(0, all)
                .mapToObj(shard -> new Shard(queue, shard))
                .toList();
    }

    /**
     * Counts live tasks by the time of their next event, in slices of equal width. Costs one script call per shard,
     * however many tasks there are.
     *
     * @param from start of the first slice
     * @param width width of a slice, at least a millisecond
     * @param slices number of slices, 1 to 500
     * @throws IllegalArgumentException if the number of slices is out of range, or the last slice ends after the year
     *     9999
     */
    DueCounts count(List<Shard> shards, Instant from, Duration width, int slices) {
        check(from, width, slices);
        DueCountsRequest request = new DueCountsRequest(from, width, slices);
        long[] sums = new long[slices + 2];
        for (Shard shard : shards) {
            List<Long> counts = replies.answer(
                    store.shards().dueCounts(shard, request), "Queue '" + shard.queue() + "', counts by due times");
            for (int i = 0; i < sums.length; i++) {
                sums[i] += counts.get(i);
            }
        }
        return new DueCounts(
                from,
                width,
                sums[0],
                LongStream.of(sums).skip(1).limit(slices).boxed().toList(),
                sums[slices + 1]);
    }

    /**
     * Counts which of the tasks in {@link #count} are in progress or wait for a retry. Reads at most 10,000 records
     * of failed attempts per shard, including those of dead tasks, and 1,000 leases.
     *
     * @throws IllegalArgumentException as for {@link #count}
     */
    DueKinds kinds(List<Shard> shards, Instant from, Duration width, int slices) {
        check(from, width, slices);
        DueCountsRequest request = new DueCountsRequest(from, width, slices);
        long[] leased = new long[slices];
        long[] retried = new long[slices];
        boolean all = true;
        for (Shard shard : shards) {
            String cursor = ShardDueKinds.BEGIN;
            int calls = 0;
            do {
                ShardDueKinds kinds = replies.answer(
                        store.shards().dueKinds(shard, request, cursor),
                        "Queue '" + shard.queue() + "', kinds of tasks by due times");
                add(kinds.leased(), leased);
                add(kinds.retried(), retried);
                all &= kinds.allLeases();
                cursor = kinds.cursor();
                calls++;
            } while (!cursor.equals(ShardDueKinds.BEGIN) && calls < MOST_CALLS);
            all &= cursor.equals(ShardDueKinds.BEGIN);
        }
        return new DueKinds(
                LongStream.of(leased).boxed().toList(),
                LongStream.of(retried).boxed().toList(),
                all);
    }

    /**
     * Counts the scheduled tasks in a period of due times, or the tasks to retry; null if there are too many to count.
     */
    @Nullable
    Long scheduled(List<Shard> shards, TaskFilter period) {
        Instant from = within(period.from(), Instant.EPOCH);
        Duration width = Duration.between(from, within(period.until(), END));
        if (width.toMillis() < 1) {
            return 0L;
        }
        DueKinds kinds = kinds(shards, from, width, 1);
        if (!kinds.all()) {
            return null;
        }
        return period.retrying()
                ? kinds.retried().get(0)
                // Leases may end between the two counts.
                : Long.valueOf(Math.max(
                        0,
                        count(shards, from, width, 1).counts().get(0)
                                - kinds.leased().get(0)));
    }

    private static Instant within(@Nullable Instant moment, Instant otherwise) {
        Instant known = moment == null ? otherwise : moment;
        return known.isBefore(Instant.EPOCH) ? Instant.EPOCH : known.isAfter(END) ? END : known;
    }

    private static void add(List<Long> counts, long[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] += counts.get(i);
        }
    }

    private static void check(Instant from, Duration width, int slices) {
        if (slices < 1 || slices > TaskStore.MAX_BATCH) {
            throw new IllegalArgumentException(
                    "The number of slices must be between 1 and " + TaskStore.MAX_BATCH + ", but is " + slices);
        }
        boolean inRange = !from.isBefore(Instant.EPOCH)
                && !from.isAfter(END)
                && width.compareTo(Duration.between(from, END).dividedBy(slices)) <= 0;
        if (!inRange || width.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("Slices must be at least one millisecond long and between the "
                    + "years 1970 and 9999, but the request is for " + slices + " slices of " + width + " from "
                    + from);
        }
    }
}
