// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import java.util.Map;

/** The configured routes by queue name. Immutable. */
public final class RabbitRoutes {

    /** No configured routes. Every trigger supplies its exchange. */
    public static final RabbitRoutes NONE = new RabbitRoutes(Map.of());

    private final Map<String, RabbitRoute> byQueue;

    public RabbitRoutes(Map<String, RabbitRoute> byQueue) {
        this.byQueue = Map.copyOf(byQueue);
    }

    /** Returns the route of this queue, or {@link RabbitRoute#NONE} if none is configured. */
    public RabbitRoute get(String queue) {
        return byQueue.getOrDefault(queue, RabbitRoute.NONE);
    }
}
