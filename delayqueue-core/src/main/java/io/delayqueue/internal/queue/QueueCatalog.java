// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.UnknownQueueException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The configured queues. Immutable. */
public final class QueueCatalog {

    private final Map<String, QueueSettings> queues = new LinkedHashMap<>();

    public QueueCatalog(Collection<QueueSettings> queues) {
        queues.forEach(queue -> this.queues.put(queue.name(), queue));
    }

    /** @throws UnknownQueueException if no such queue is configured */
    public QueueSettings get(String name) {
        QueueSettings settings = queues.get(name);
        if (settings == null) {
            QueueNames.check(name);
            throw new UnknownQueueException("Queue '" + name + "' is not configured, so nothing would deliver its"
                    + " tasks. Add " + QueueNames.property(name) + " and restart the application; at its start it had "
                    + queues.keySet());
        }
        return settings;
    }

    public QueueCatalog with(QueueSettings changed) {
        return new QueueCatalog(queues.values().stream()
                .map(queue -> queue.name().equals(changed.name()) ? changed : queue)
                .toList());
    }

    /** Returns the number of history entries per shard; 0 for no history or an unknown queue. */
    public int historyLength(String name) {
        QueueSettings settings = queues.get(name);
        return settings == null ? 0 : settings.history();
    }

    /** Returns the names in configuration order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(queues.keySet());
    }

    /** Returns the settings of all queues in configuration order. */
    public Collection<QueueSettings> all() {
        return Collections.unmodifiableCollection(queues.values());
    }
}
