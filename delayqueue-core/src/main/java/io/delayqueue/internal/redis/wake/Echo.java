// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

/**
 * Whether messages of one channel arrive in this process, by its own heartbeats, which come back over the same channel.
 * A heartbeat that Redis took and that does not come back says that the process is deaf, until one does; one that Redis
 * did not take says nothing. Safe for use by many threads.
 */
final class Echo {

    private final long patienceNanos;
    private final long trustNanos;
    private long heardAt;
    private long awaitedSince;
    private boolean everHeard;
    private boolean awaited;
    private boolean deaf;

    /**
     * An echo that was never heard.
     *
     * @param patienceNanos after so long one that is missing will not come
     * @param trustNanos for so long one that was heard says that messages arrive
     */
    Echo(long patienceNanos, long trustNanos) {
        this.patienceNanos = patienceNanos;
        this.trustNanos = trustNanos;
    }

    /** Redis has taken a heartbeat that was sent then; that it did may be known after the echo. */
    synchronized void taken(long sentNanos) {
        if (!awaited && !(everHeard && heardAt - sentNanos >= 0)) {
            awaited = true;
            awaitedSince = sentNanos;
        }
    }

    /** One's own heartbeat came back. Returns whether the process was deaf until now. */
    synchronized boolean heard(long now) {
        boolean wasDeaf = deaf;
        everHeard = true;
        heardAt = now;
        awaited = false;
        deaf = false;
        return wasDeaf;
    }

    /** Returns whether an echo is found missing; asked again, it is so once more when another one is. */
    synchronized boolean isMissing(long now) {
        if (!awaited || now - awaitedSince < patienceNanos) {
            return false;
        }
        awaited = false;
        deaf = true;
        return true;
    }

    synchronized boolean isDeaf() {
        return deaf;
    }

    /** Whether messages are known to arrive. */
    synchronized boolean arrives(long now) {
        return everHeard && !deaf && now - heardAt < trustNanos;
    }
}
