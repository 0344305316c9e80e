// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Throttle;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks which servers cannot be reached, and since when. Calls are retried during a short outage and fail at once
 * during a longer one. Logs one line when an outage starts and one when it ends, so that the queues need not log it.
 * Thread-safe.
 */
final class NodeOutages {

    private static final Logger log = LoggerFactory.getLogger(NodeOutages.class);

    private static final Duration BETWEEN_REFUSALS = Duration.ofSeconds(30);

    private final long patienceNanos;
    private final Map<String, Outage> outages = new ConcurrentHashMap<>();
    private final Map<String, Throttle> refusals = new ConcurrentHashMap<>();

    /** @param patience how long calls are retried */
    NodeOutages(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    /**
     * Records a call that could not be sent. Returns whether the outage has exceeded the patience, so that calls must
     * fail.
     *
     * @param reason a reason to add to the log line, or null
     */
    boolean noteUnsent(String node, long now, @Nullable String reason) {
        Outage outage = outages.computeIfAbsent(node, name -> new Outage(now, new AtomicBoolean()));
        boolean lasts = now - outage.since >= patienceNanos;
        if (lasts && outage.logged.compareAndSet(false, true)) {
            Guard.tell(() -> log.warn(
                    "{} cannot be reached; until it is back, calls to it fail at once{}",
                    name(node),
                    (reason == null) ? "" : ". " + reason));
        }
        return lasts;
    }

    /** Records that the outage has already been logged. */
    void noteLogged(String node, long now) {
        outages.computeIfAbsent(node, name -> new Outage(now, new AtomicBoolean()))
                .logged
                .set(true);
    }

    /** Logs that a server does not execute calls for now, at most every 30 s. */
    void noteRefusal(String node, String reply) {
        if (refusals.computeIfAbsent(node, name -> new Throttle(BETWEEN_REFUSALS))
                .passes()) {
            Guard.tell(() -> log.warn("{} temporarily refuses calls: {}", name(node), reply));
        }
    }

    boolean isNoted(String node) {
        return outages.containsKey(node);
    }

    boolean isEmpty() {
        return outages.isEmpty();
    }

    /** Records that a call was sent or can be sent. */
    void sent(String node) {
        end(node, "is reachable again");
    }

    /** Records which nodes still serve keys. A failover may have replaced the others for good. */
    void keepServing(Predicate<String> serves) {
        outages.keySet().stream().filter(serves.negate()).forEach(node -> end(node, "was replaced"));
    }

    private void end(String node, String how) {
        @Nullable Outage ended = outages.remove(node);
        if (ended != null && ended.logged.get()) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - ended.since);
            Guard.tell(() -> log.info("{} {} after {} s", name(node), how, seconds));
        }
    }

    private static String name(String node) {
        return node.equals(RedisConnections.ONLY_SERVER) ? "Redis" : "The node " + node + " of the Redis cluster";
    }

    private record Outage(long since, AtomicBoolean logged) {}
}
