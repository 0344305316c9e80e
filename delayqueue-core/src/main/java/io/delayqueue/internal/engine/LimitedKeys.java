// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskIds;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStore;
import io.delayqueue.internal.store.ShardingVersion;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits per key of one queue. Records which shards have run-time limits or held-back tasks according to their last
 * replies. Thread-safe.
 */
final class LimitedKeys {

    private static final Logger log = LoggerFactory.getLogger(LimitedKeys.class);

    private final Throttle notClosed = new Throttle(Duration.ofMinutes(1));

    private final Set<Shard> limited = ConcurrentHashMap.newKeySet();

    /** Returns the configured limits of each key. */
    static KeyLimits of(LimitSettings settings) {
        Integer concurrency = settings.keyConcurrency();
        Rate rate = settings.keyRate();
        return new KeyLimits(
                Optional.ofNullable(rate)
                        .map(Rate::intervalMicros)
                        .map(micros -> Duration.of(micros, ChronoUnit.MICROS)),
                rate == null || rate.burst() == 0 ? OptionalInt.empty() : OptionalInt.of(rate.burst()),
                concurrency == null ? OptionalInt.empty() : OptionalInt.of(concurrency));
    }

    /** Returns whether the next acquire of this shard must apply limits that were set at run time. */
    boolean areLimitedIn(Shard shard) {
        return limited.contains(shard);
    }

    /** Records the reply to an acquire that applied limits. */
    void acquired(Acquisition acquisition) {
        if (acquisition.limited()) {
            limited.add(acquisition.shard());
        } else {
            limited.remove(acquisition.shard());
        }
    }

    /**
     * Closes the key of a task, if it has one, for a time, in the shard that granted the lease and in all that may hold
     * tasks of the key. The returned stage completes when the store has replied or failed.
     */
    CompletableFuture<?> close(ShardStore shards, Sharding sharding, Shard shard, String id, Duration time) {
        String prefix = TaskIds.keyOf(id).map(TaskIds::keyPrefix).orElse(null);
        if (prefix == null) {
            return CompletableFuture.completedFuture(null);
        }
        KeyLimitsChange change = KeyLimitsChange.closeFor(time);
        CompletableFuture<?>[] closed = Stream.concat(
                        Stream.of(shard), sharding.homesOf(prefix).stream().map(home -> new Shard(shard.queue(), home)))
                .distinct()
                .map(in -> Guard.call(() -> shards.keyLimits(in, ShardingVersion.NONE, prefix, change)))
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(closed).whenComplete((done, error) -> {
            if (error != null && notClosed.passes()) {
                Guard.tell(() -> log.warn(
                        "{}: could not close the key of task '{}', so other tasks of the key are delivered: {}",
                        shard,
                        PrintableText.line(id, 256),
                        String.valueOf(Causes.of(error))));
            }
        });
    }
}
