// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

/**
 * Watches whether this process's own heartbeats return over a channel. If Redis accepts a heartbeat but it does not
 * return, the subscription counts as lost until a later heartbeat returns. Heartbeats that Redis did not accept do not
 * count. Thread-safe.
 */
final class HeartbeatWatch {

    private final long patienceNanos;
    private final long trustNanos;
    private long receivedAt;
    private long awaitedSince;
    private boolean everReceived;
    private boolean awaited;
    private boolean lost;

    /**
     * @param patienceNanos maximum time until a heartbeat returns
     * @param trustNanos how long a returned heartbeat proves that messages arrive
     */
    HeartbeatWatch(long patienceNanos, long trustNanos) {
        this.patienceNanos = patienceNanos;
        this.trustNanos = trustNanos;
    }

    /** Records that Redis has accepted a heartbeat, possibly after it has returned. */
    synchronized void published(long sentNanos) {
        if (!awaited && !(everReceived && receivedAt - sentNanos >= 0)) {
            awaited = true;
            awaitedSince = sentNanos;
        }
    }

    /** Records that a heartbeat returned. Returns whether the subscription had been lost. */
    synchronized boolean received(long now) {
        boolean wasLost = lost;
        everReceived = true;
        receivedAt = now;
        awaited = false;
        lost = false;
        return wasLost;
    }

    /** Returns whether a heartbeat is missing. Returns {@code true} once for each missing heartbeat. */
    synchronized boolean isMissing(long now) {
        if (!awaited || now - awaitedSince < patienceNanos) {
            return false;
        }
        awaited = false;
        lost = true;
        return true;
    }

    synchronized boolean isLost() {
        return lost;
    }

    /** Returns whether messages are known to arrive. */
    synchronized boolean arrives(long now) {
        return everReceived && !lost && now - receivedAt < trustNanos;
    }
}
