// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskIds;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Acquisition.KeyLimiting;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStore;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits of the keys of one queue: the configured limits, and the shards with limits set at run time, according to
 * their last replies. Thread-safe.
 */
final class LimitedKeys {

    private static final Logger log = LoggerFactory.getLogger(LimitedKeys.class);

    private final Throttle notFreed = new Throttle(Duration.ofMinutes(1));
    private final Throttle notClosed = new Throttle(Duration.ofMinutes(1));

    private volatile KeyLimits configured;
    private final Map<Shard, KeyLimiting> limiting = new ConcurrentHashMap<>();
    /** The tasks whose keys are freed next, for each shard with a call in progress. */
    private final Map<Shard, Set<String>> ended = new HashMap<>();

    LimitedKeys(LimitSettings settings) {
        this.configured = of(settings);
    }

    /** Applies other limits from now on. */
    void configure(LimitSettings settings) {
        configured = of(settings);
    }

    private static KeyLimits of(LimitSettings settings) {
        Integer concurrency = settings.keyConcurrency();
        Rate rate = settings.keyRate();
        return new KeyLimits(
                Optional.ofNullable(rate)
                        .map(Rate::intervalMicros)
                        .map(micros -> Duration.of(micros, ChronoUnit.MICROS)),
                rate == null || rate.burst() == 0 ? OptionalInt.empty() : OptionalInt.of(rate.burst()),
                concurrency == null ? OptionalInt.empty() : OptionalInt.of(concurrency));
    }

    KeyLimits configured() {
        return configured;
    }

    /** Returns whether the next acquire of this shard must apply limits. */
    boolean areLimitedIn(Shard shard) {
        return !configured.equals(KeyLimits.NONE) || limiting.containsKey(shard);
    }

    /** Notes the reply to an acquire that applied limits. */
    void acquired(Acquisition acquisition) {
        if (acquisition.keyLimits() == KeyLimiting.NONE) {
            limiting.remove(acquisition.shard());
        } else {
            limiting.put(acquisition.shard(), acquisition.keyLimits());
        }
    }

    /** Returns whether the key of this task may wait for the ends of deliveries. */
    boolean areFreedBy(Shard shard, String id) {
        return (configured.concurrency().isPresent() || limiting.get(shard) == KeyLimiting.RUN_TIME)
                && TaskIds.keyOf(id).isPresent();
    }

    /** Closes the key of a task for a time, in the shard that has granted the lease. */
    void close(ShardStore shards, Shard shard, String id, Duration time) {
        TaskIds.keyOf(id)
                .map(TaskIds::keyPrefix)
                .ifPresent(idPrefix -> Guard.call(() ->
                                shards.keyLimits(shard, ShardingVersion.NONE, idPrefix, KeyLimitsChange.closeFor(time)))
                        .whenComplete((closed, error) -> {
                            if (error != null && notClosed.passes()) {
                                Guard.tell(() -> log.warn(
                                        "{}: could not close the key of task '{}', so other tasks of the key are "
                                                + "delivered: {}",
                                        shard,
                                        PrintableText.line(id, 256),
                                        String.valueOf(error)));
                            }
                        }));
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
                        "{}: could not free {} key(s); their next tasks wait until leases expire: {}",
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
