// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskIds;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.KeyLimits;
import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits of the keys of one queue. If the queue has none, this looks from time to time for tasks that were put
 * aside under earlier limits. Safe for use by many threads.
 */
final class LimitedKeys {

    private static final Logger log = LoggerFactory.getLogger(LimitedKeys.class);

    private static final long BETWEEN_LOOKS = Duration.ofSeconds(10).toNanos();

    /** While more tasks are due than an acquire takes. */
    private static final long BETWEEN_LOOKS_WHEN_BUSY = Duration.ofMillis(100).toNanos();

    private final Throttle notFreed = new Throttle(Duration.ofMinutes(1));

    private final @Nullable KeyLimits limits;
    /** When each shard is searched next, if the queue has no limits. */
    private final Map<Shard, Long> looks = new ConcurrentHashMap<>();
    /** The tasks whose keys are freed next, for each shard with a call in progress. */
    private final Map<Shard, Set<String>> ended = new HashMap<>();

    LimitedKeys(LimitSettings settings) {
        Rate rate = settings.keyRate();
        Integer concurrency = settings.keyConcurrency();
        this.limits = settings.arePerKey()
                ? new KeyLimits(rate == null ? 0 : rate.intervalMicros(), concurrency == null ? 0 : concurrency)
                : null;
    }

    /** Returns the limits for the next acquire, or null if it needs none. */
    @Nullable
    KeyLimits limits(Shard shard, long nanoTime) {
        if (limits != null) {
            return limits;
        }
        Long next = looks.putIfAbsent(shard, nanoTime + BETWEEN_LOOKS);
        if (next == null || next - nanoTime > 0) {
            return null;
        }
        looks.put(shard, nanoTime + BETWEEN_LOOKS);
        return KeyLimits.NONE;
    }

    /** Notes the reply to an acquire. If more tasks may have been put aside, the next search follows soon. */
    void acquired(Shard shard, @Nullable Acquisition acquisition) {
        Duration next = acquisition == null ? null : acquisition.untilNext();
        if (limits == null && next != null && next.isZero()) {
            long soon = System.nanoTime() + BETWEEN_LOOKS_WHEN_BUSY;
            looks.computeIfPresent(shard, (same, look) -> look - soon > 0 ? soon : look);
        }
    }

    /** Returns whether the key of this task waits for the ends of deliveries. */
    boolean areFreedBy(String id) {
        return limits != null && limits.concurrency() > 0 && TaskIds.keyOf(id).isPresent();
    }

    /** Frees the key of a task whose lease has ended, at once or together with others after the call in progress. */
    void ended(LeaseStore leases, Shard shard, String id) {
        synchronized (ended) {
            Set<String> gathered = ended.get(shard);
            if (gathered != null) {
                gathered.add(id);
                return;
            }
            ended.put(shard, new LinkedHashSet<>());
        }
        free(leases, shard, List.of(id));
    }

    private void free(LeaseStore leases, Shard shard, List<String> ids) {
        Guard.call(() -> leases.freeKeys(shard, ids)).whenComplete((freed, error) -> {
            if (error != null && notFreed.passes()) {
                Guard.tell(() -> log.warn(
                        "{}: {} key(s) could not be freed; their next tasks wait for the ends of leases: {}",
                        shard,
                        ids.size(),
                        String.valueOf(error)));
            }
            freeGathered(leases, shard);
        });
    }

    private void freeGathered(LeaseStore leases, Shard shard) {
        List<String> batch;
        synchronized (ended) {
            Set<String> gathered = Objects.requireNonNull(ended.get(shard));
            batch = gathered.stream().limit(TaskStore.MAX_BATCH).toList();
            if (batch.isEmpty()) {
                ended.remove(shard);
                return;
            }
            batch.forEach(gathered::remove);
        }
        free(leases, shard, batch);
    }
}
