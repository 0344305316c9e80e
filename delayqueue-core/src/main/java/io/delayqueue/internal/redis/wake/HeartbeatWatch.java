// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

/**
 * Watches whether the process's own heartbeats come back over a channel. If Redis took one and it does not come back, the
 * subscription is lost until one does. A heartbeat that Redis did not take proves nothing. Safe for use by many threads.
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
     * @param patienceNanos the longest that a heartbeat takes to come back
     * @param trustNanos how long one that came back proves that messages arrive
     */
    HeartbeatWatch(long patienceNanos, long trustNanos) {
        this.patienceNanos = patienceNanos;
        this.trustNanos = trustNanos;
    }

    /** Notes that Redis has taken a heartbeat, which may be known after it has come back. */
    synchronized void published(long sentNanos) {
        if (!awaited && !(everReceived && receivedAt - sentNanos >= 0)) {
            awaited = true;
            awaitedSince = sentNanos;
        }
    }

    /** Notes that a heartbeat came back. Returns whether the subscription was lost until now. */
    synchronized boolean received(long now) {
        boolean wasLost = lost;
        everReceived = true;
        receivedAt = now;
        awaited = false;
        lost = false;
        return wasLost;
    }

    /** Returns whether a heartbeat is missing; once for each that is. */
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
