// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.store.LayoutStore;
import java.time.Duration;
import java.util.UUID;

/**
 * Whether this process is the one that forwards the dead tasks of a queue. It goes on being it as long as it asks in
 * time; when it falls silent, another one may be it. For use by one thread.
 */
final class ForwardingClaim {

    private final String queue;
    private final LayoutStore store;
    private final Duration time;
    private final String owner = UUID.randomUUID().toString();
    private boolean held;
    private long askedAt;

    /** @param time until another process may take over from one that has fallen silent */
    ForwardingClaim(String queue, LayoutStore store, Duration time) {
        this.queue = queue;
        this.store = store;
        this.time = time;
    }

    /**
     * Whether this process is the one, for at least half of the time from now on.
     *
     * @throws io.delayqueue.TaskStoreException if Redis did not answer
     */
    boolean isHeld() {
        long now = System.nanoTime();
        if (held && now - askedAt < time.toNanos() / 2) {
            return true;
        }
        held = false;
        held = StoreAnswers.await(store.claimForwarder(queue, owner, time));
        askedAt = now;
        return held;
    }

    /**
     * Lets another process be it at once.
     *
     * @throws io.delayqueue.TaskStoreException if Redis did not answer; then it can be it when the time has passed
     */
    void giveUp() {
        if (held) {
            held = false;
            StoreAnswers.await(store.claimForwarder(queue, owner, Duration.ZERO));
        }
    }
}
