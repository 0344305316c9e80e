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
 * The limits that this process applies: for each queue, the lowest of its own limits and those of other processes.
 * Lower limits apply at once. Higher limits apply after two successive rounds have found them, so that limits do not
 * change back and forth while processes restart or Redis is unavailable. Thread-safe.
 */
final class LowestLimits {

    private static final Logger log = LoggerFactory.getLogger(LowestLimits.class);

    private final Map<String, LimitSettings> lower = new ConcurrentHashMap<>();
    private final Map<String, LimitSettings> lastFound = new ConcurrentHashMap<>();

    /** Returns the limits to apply. */
    LimitSettings of(QueueSettings queue) {
        return lower.getOrDefault(queue.name(), queue.limits());
    }

    /** Records the limits of all live processes that deliver a queue. */
    void note(QueueSettings queue, Collection<LimitSettings> all) {
        LimitSettings found = all.stream().reduce(queue.limits(), LimitSettings::lowest);
        LimitSettings lowest = found.lowest(Objects.requireNonNullElse(lastFound.put(queue.name(), found), found));
        boolean isOwn = lowest.equals(queue.limits());
        LimitSettings before = isOwn ? lower.remove(queue.name()) : lower.put(queue.name(), lowest);
        if (isOwn ? before != null : !lowest.equals(before)) {
            log.info(
                    "Queue '{}': applying {} limits: {}",
                    queue.name(),
                    isOwn ? "the configured" : "another process's lower",
                    NotedLimits.shown(lowest));
        }
    }
}
