// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Since when nothing can be sent to which nodes of a cluster. A call tries again in its time, for another node may take
 * over; to a node that has been away for longer than that it does not. Safe for use by many threads.
 */
final class NodeOutages {

    /** One of which nothing was heard for so many times as long as a call may take is forgotten. */
    private static final int FORGOTTEN_AFTER = 15;

    private final long patienceNanos;
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    /** @param patience how long a call may take */
    NodeOutages(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    /** Notes that a call could not be sent. Returns whether that has lasted so long that it is to be given up. */
    boolean noteUnsent(String node, long now) {
        Outage outage = outages.compute(
                node,
                (name, known) -> (known == null || now - known.last >= FORGOTTEN_AFTER * patienceNanos)
                        ? new Outage(now, now)
                        : new Outage(known.first, now));
        return now - outage.first >= patienceNanos;
    }

    boolean isEmpty() {
        return outages.isEmpty();
    }

    /** A call was sent. */
    void sent(String node) {
        outages.remove(node);
    }

    /**
     * One that has not ended.
     *
     * @param first when a call could not be sent
     * @param last the same, for the last time
     */
    private record Outage(long first, long last) {}
}
