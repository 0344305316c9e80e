// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that scan a queue, as this one sees them: whose the shards are, and whether the others can be heard and
 * asked for help. Before it has joined them, and where nobody can say, every shard is its own. Any thread.
 */
final class Peers {

    private static final Logger log = LoggerFactory.getLogger(Peers.class);

    private final String queue;
    private volatile WakeSignals.Registration wakes = () -> {};
    private volatile ShardOwnership.Membership membership = ShardOwnership.Membership.OF_ALL;

    Peers(String queue) {
        this.queue = queue;
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

    /** Asks the others to scan this shard. */
    void callForHelp(int shard) {
        Seam.run(log, "The other processes could not be asked for help", () -> wakes.callForHelp(shard));
    }
}
