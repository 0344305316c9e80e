// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueSettings;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The limits that this process applies: for each queue the lower of its own and those of other processes. Thread-safe.
 */
final class LowestLimits {

    private static final Logger log = LoggerFactory.getLogger(LowestLimits.class);

    private final Map<String, LimitSettings> lower = new ConcurrentHashMap<>();

    /** Returns the limits to apply. */
    LimitSettings of(QueueSettings queue) {
        return lower.getOrDefault(queue.name(), queue.limits());
    }

    /** Notes the limits of all live processes that deliver a queue. */
    void note(QueueSettings queue, Collection<LimitSettings> all) {
        LimitSettings lowest = all.stream().reduce(queue.limits(), LimitSettings::lowest);
        boolean isOwn = lowest.equals(queue.limits());
        LimitSettings before = isOwn ? lower.remove(queue.name()) : lower.put(queue.name(), lowest);
        if (isOwn ? before != null : !lowest.equals(before)) {
            log.info(
                    "Queue '{}': applying {} limits: {}",
                    queue.name(),
                    isOwn ? "the configured" : "the lower limits of another process as well; now the",
                    NotedLimits.shown(lowest));
        }
    }
}
