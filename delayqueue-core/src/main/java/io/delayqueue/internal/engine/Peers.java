// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that scan a queue, as this one sees them: whose the shards are, and whether the others can be heard and
 * asked for help. Before it has joined them, and where nobody can say, every shard is its own. Any thread.
 */
final class Peers {

    private static final Logger log = LoggerFactory.getLogger(Peers.class);

    static final long ASK_AFTER = TimeUnit.MILLISECONDS.toNanos(50);
    static final long ASK_AGAIN_AFTER = TimeUnit.SECONDS.toNanos(1);

    private final String queue;
    private boolean heldUp;
    private long heldUpSince;
    private long mayAskAt;
    private volatile WakeSignals.Registration wakes = () -> {};
    private volatile ShardOwnership.Membership membership = ShardOwnership.Membership.OF_ALL;

    Peers(String queue) {
        this(queue, System.nanoTime());
    }

    Peers(String queue, long now) {
        this.queue = queue;
        this.mayAskAt = now;
    }

    /** Takes part until this {@linkplain #leave leaves}. */
    void join(WakeSignals wakeSignals, ShardOwnership ownership, WakeSignals.Listener listener) {
        membership = ownership.join(queue, listener::wakeAll);
        wakes = wakeSignals.listen(queue, listener);
    }

    void leave() {
        closeQuietly(wakes);
        closeQuietly(membership);
    }

    private void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Throwable ex) {
            Seam.tell(() -> log.warn("Queue '{}': leaving the other processes failed: {}", queue, ex.toString()));
        }
    }

    /** Whether this process is to scan the shard on time. */
    boolean own(int shard) {
        try {
            return membership.owns(shard);
        } catch (Throwable ex) {
            log.debug("Queue '{}': nobody knows who owns shard {}", queue, shard, ex);
            return true;
        }
    }

    /** Whether wake signals are known to arrive now. */
    boolean signalsArrive() {
        try {
            return wakes.arrive();
        } catch (Throwable ex) {
            log.debug("Queue '{}': nobody knows whether wake signals arrive", queue, ex);
            return false;
        }
    }

    /**
     * Tasks are due and none can be taken now. If that lasts, the others are asked to scan these shards, once a second. Only
     * for passes.
     *
     * @return when to ask them again if it is still so then
     */
    long heldUp(List<ScannedShard> due, long now) {
        if (!heldUp) {
            heldUp = true;
            heldUpSince = now;
        }
        long askAt = (heldUpSince + ASK_AFTER - mayAskAt >= 0) ? heldUpSince + ASK_AFTER : mayAskAt;
        if (askAt - now > 0) {
            return askAt;
        }
        due.stream().map(ScannedShard::shard).filter(this::own).forEach(this::askForHelp);
        mayAskAt = now + ASK_AGAIN_AFTER;
        return mayAskAt;
    }

    /** Tasks can be taken again, or none is due. Only for passes. */
    void noLongerHeldUp() {
        heldUp = false;
    }

    /** Returns whether no task could be taken the last time. Only for passes. */
    boolean isHeldUp() {
        return heldUp;
    }

    private void askForHelp(int shard) {
        Seam.run(log, "The other processes could not be asked for help", () -> wakes.callForHelp(shard));
    }
}
