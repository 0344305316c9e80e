// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.store.WakeSignals;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's view of the other processes that scan a queue. Tells which shards this process owns and whether wake
 * signals arrive, and asks the other processes for help. Until this process has joined the others, and while ownership
 * is unknown, it owns every shard.
 */
final class Peers {

    private static final Logger log = LoggerFactory.getLogger(Peers.class);

    static final long ASK_AFTER = TimeUnit.MILLISECONDS.toNanos(50);
    static final long ASK_AGAIN_AFTER = TimeUnit.SECONDS.toNanos(1);

    private final String queue;
    private boolean heldUp;
    private boolean leaves;
    private long heldUpSince;
    private long mayAskAt;
    private volatile WakeSignals.Registration others = () -> {};

    Peers(String queue) {
        this(queue, System.nanoTime());
    }

    Peers(String queue, long now) {
        this.queue = queue;
        this.mayAskAt = now;
    }

    /** Joins the other processes until {@link #leave}. */
    void join(WakeSignals wakeSignals, WakeSignals.Listener listener) {
        others = wakeSignals.listen(queue, listener);
    }

    void leave() {
        Guard.run(log, "Could not stop listening to the other processes", others::close);
    }

    /** Returns whether this process owns the shard, so that it scans it on time. Thread-safe. */
    boolean own(int shard) {
        return others.owns(shard);
    }

    /** Returns how many processes precede this one as owner of the shard; 0 for the owner. Thread-safe. */
    int place(int shard) {
        return others.place(shard);
    }

    /** Leaves the shards of this process to other processes, or takes them back. Only a pass may call this. */
    void leaveToOthers(boolean leave) {
        if (leave != leaves) {
            leaves = leave;
            Guard.run(
                    log,
                    "Could not tell the other processes whether to scan this process's shards",
                    () -> others.leaveToOthers(leave));
        }
    }

    /** Returns whether wake signals are known to arrive now. Thread-safe. */
    boolean signalsArrive() {
        return others.arrive();
    }

    /**
     * Records that tasks are due but cannot be acquired. If this continues, asks the other processes once a second to
     * scan these shards. Only a pass may call this.
     *
     * @return when to ask again if nothing changes
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

    /** Records that tasks can be acquired again or none are due. Only a pass may call this. */
    void noLongerHeldUp() {
        heldUp = false;
    }

    /** Returns whether the last pass could not acquire its due tasks. Only a pass may call this. */
    boolean isHeldUp() {
        return heldUp;
    }

    private void askForHelp(int shard) {
        Guard.run(log, "Could not ask other processes for help", () -> others.callForHelp(shard));
    }
}
