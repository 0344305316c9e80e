// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The configured routes by queue name. Immutable. */
public final class RabbitRoutes {

    /** No configured routes. Every trigger supplies its exchange. */
    public static final RabbitRoutes NONE = new RabbitRoutes(Map.of());

    private final Map<String, RabbitRoute> byQueue;

    public RabbitRoutes(Map<String, RabbitRoute> byQueue) {
        this.byQueue = Map.copyOf(byQueue);
    }

    /** Returns the queues that have an exchange. */
    public Set<String> queues() {
        return byQueue.entrySet().stream()
                .filter(route -> route.getValue().exchange() != null)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Returns the route of this queue, or {@link RabbitRoute#NONE} if none is configured. */
    public RabbitRoute get(String queue) {
        return byQueue.getOrDefault(queue, RabbitRoute.NONE);
    }
}
