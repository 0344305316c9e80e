// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Since when nothing can be sent to which servers. A call tries again in its time, for the connection may be about to come
 * back, or another server may take over; to a server that has been away for longer than that it does not. The log has one
 * line when that begins and one when it ends. Safe for use by many threads.
 */
final class NodeOutages {

    private static final Logger log = LoggerFactory.getLogger(NodeOutages.class);

    /** One of which nothing was heard for so many times as long as a call may take is forgotten. */
    private static final int FORGOTTEN_AFTER = 15;

    private final long patienceNanos;
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();

    /** @param patience for how long calls try again */
    NodeOutages(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    /** Notes that a call could not be sent. Returns whether that has lasted so long that it is to be given up. */
    boolean noteUnsent(String node, long now) {
        Outage outage = outages.compute(
                node,
                (name, known) -> (known == null || now - known.last >= FORGOTTEN_AFTER * patienceNanos)
                        ? new Outage(now, now, new AtomicBoolean())
                        : new Outage(known.first, now, known.told));
        boolean away = outage.hasLasted(patienceNanos, now);
        if (away && outage.told.compareAndSet(false, true)) {
            Seam.tell(() -> log.warn(
                    "{} cannot be reached (spring.data.redis.*); until it is back, calls to it fail at once",
                    name(node)));
        }
        return away;
    }

    /** Whether calls are to be given up that cannot be sent at once. */
    boolean isAway(String node, long now) {
        Outage outage = outages.get(node);
        return outage != null && outage.hasLasted(patienceNanos, now);
    }

    boolean isEmpty() {
        return outages.isEmpty();
    }

    /** A call was sent, or can be. */
    void sent(String node) {
        @Nullable Outage ended = outages.remove(node);
        if (ended != null && ended.told.get()) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - ended.first);
            Seam.tell(() -> log.info("{} can be reached again, after {} s", name(node), seconds));
        }
    }

    private static String name(String node) {
        return node.equals(TaskStore.ONLY_SERVER) ? "Redis" : "The node " + node + " of the Redis cluster";
    }

    /**
     * One that has not ended.
     *
     * @param first when a call could not be sent
     * @param last the same, for the last time
     * @param told whether the log says so
     */
    private record Outage(long first, long last, AtomicBoolean told) {

        boolean hasLasted(long nanos, long now) {
            return now - first >= nanos;
        }
    }
}
