// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import io.delayqueue.internal.store.ShardOwnership.Owner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The owners of a queue's shards, for the endpoint and the console. It keeps the queue's channel subscribed until two minutes
 * after the last question. Safe for use by many threads.
 */
final class OwnersView {

    /** Between the name of a process and what tells apart several in it. */
    static final String BEHIND_NAME = "#";

    static final long LOOK_MILLIS = 50;

    /** The others answer after a tenth of a second. */
    private static final long ANSWERS_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private static final long LATEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    private static final long LASTS_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final List<Owner> owners = new ArrayList<>();
    private @Nullable Long endsAt;
    private @Nullable Long askedAt;

    synchronized void begin() {
        endsAt = System.nanoTime() + LASTS_NANOS;
    }

    synchronized boolean isOn() {
        return endsAt != null;
    }

    /** Ends two minutes after the last question. Returns whether it ended now. */
    synchronized boolean endIfUnasked() {
        Long end = endsAt;
        if (end == null || System.nanoTime() - end < 0) {
            return false;
        }
        endsAt = null;
        askedAt = null;
        owners.clear();
        return true;
    }

    /** Notes that the others were asked to announce themselves. */
    synchronized void asked() {
        askedAt = (askedAt == null) ? Long.valueOf(System.nanoTime()) : askedAt;
    }

    synchronized void mayMissAnswers() {
        askedAt = null;
    }

    /** Returns whether the others have had time to answer. */
    synchronized boolean isInformed() {
        Long asked = askedAt;
        return asked != null && System.nanoTime() - asked >= ANSWERS_NANOS;
    }

    /** Returns when to answer with what is known, complete or not. */
    long latestAnswer() {
        return System.nanoTime() + LATEST_NANOS;
    }

    /** Returns the owners of the shards. */
    synchronized List<Owner> owners(int shards, IntFunction<@Nullable String> ownerOf) {
        while (owners.size() > shards) {
            owners.remove(owners.size() - 1);
        }
        update(ownerOf);
        while (owners.size() < shards) {
            int shard = owners.size();
            owners.add(new Owner(shard, name(ownerOf.apply(shard)), null));
        }
        return List.copyOf(owners);
    }

    /** Updates the owners after the processes that take part have changed. */
    synchronized void update(IntFunction<@Nullable String> ownerOf) {
        for (int shard = 0; shard < owners.size(); shard++) {
            String process = name(ownerOf.apply(shard));
            if (!Objects.equals(process, owners.get(shard).process())) {
                owners.set(shard, new Owner(shard, process, Instant.now()));
            }
        }
    }

    private static @Nullable String name(@Nullable String member) {
        return member == null ? null : member.split(BEHIND_NAME, 2)[0];
    }
}
