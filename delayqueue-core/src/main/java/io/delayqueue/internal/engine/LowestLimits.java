// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueSettings;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits that this process applies: for each queue the lower of its own and those of other processes. Lower limits
 * apply at once, higher ones when two successive rounds have found them. So a limit does not come and go while processes
 * restart, or while Redis is away. Thread-safe.
 */
final class LowestLimits {

    private static final Logger log = LoggerFactory.getLogger(LowestLimits.class);

    private final Map<String, LimitSettings> lower = new ConcurrentHashMap<>();
    private final Map<String, LimitSettings> lastFound = new ConcurrentHashMap<>();

    /** Returns the limits to apply. */
    LimitSettings of(QueueSettings queue) {
        return lower.getOrDefault(queue.name(), queue.limits());
    }

    /** Notes the limits of all live processes that deliver a queue. */
    void note(QueueSettings queue, Collection<LimitSettings> all) {
        LimitSettings found = all.stream().reduce(queue.limits(), LimitSettings::lowest);
        LimitSettings lowest = found.lowest(Objects.requireNonNullElse(lastFound.put(queue.name(), found), found));
        boolean isOwn = lowest.equals(queue.limits());
        LimitSettings before = isOwn ? lower.remove(queue.name()) : lower.put(queue.name(), lowest);
        if (isOwn ? before != null : !lowest.equals(before)) {
            log.info(
                    "Queue '{}': applying {} limits: {}",
                    queue.name(),
                    isOwn ? "the configured" : "the lower limits of another process too, now the",
                    NotedLimits.shown(lowest));
        }
    }
}
