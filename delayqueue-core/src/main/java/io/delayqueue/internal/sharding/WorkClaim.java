// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.calls.StoreAnswers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * A process's claim on some work of a queue, so that only one process does it. The claim expires if its owner no longer
 * renews it. Not thread-safe.
 */
public final class WorkClaim {

    private final Duration time;
    private final BiFunction<String, Duration, CompletableFuture<Boolean>> store;
    private final String owner = UUID.randomUUID().toString();
    private boolean held;
    private long askedAt;

    /**
     * @param time time until another process may take over
     * @param store claims the work for an owner and a duration, or releases it if the duration is zero
     */
    public WorkClaim(Duration time, BiFunction<String, Duration, CompletableFuture<Boolean>> store) {
        this.time = time;
        this.store = store;
    }

    /**
     * Claims the work or renews the claim. Returns whether this process has the claim, which then lasts for at least
     * two thirds of its time.
     *
     * @throws io.delayqueue.TaskStoreException if Redis did not answer
     */
    public boolean isHeld() {
        long now = System.nanoTime();
        if (held && now - askedAt < time.toNanos() / 3) {
            return true;
        }
        held = false;
        held = StoreAnswers.await(store.apply(owner, time));
        askedAt = now;
        return held;
    }

    /**
     * Returns whether the claim has been held without interruption, so that no other process has done the work in the
     * meantime.
     */
    boolean isUnexpired() {
        return held && System.nanoTime() - askedAt < time.toNanos();
    }

    /**
     * Lets another process take over at once.
     *
     * @throws io.delayqueue.TaskStoreException if Redis did not answer; another process can then take over when the
     *     time has passed
     */
    public void giveUp() {
        if (held) {
            held = false;
            StoreAnswers.await(store.apply(owner, Duration.ZERO));
        }
    }
}
