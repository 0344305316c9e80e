// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.util.Map;

/** The configured routes, by the name of the queue. Immutable. */
public final class RabbitRoutes {

    /** Nothing is configured; every trigger names its exchange itself. */
    public static final RabbitRoutes NONE = new RabbitRoutes(Map.of());

    private final Map<String, RabbitRoute> byQueue;

    public RabbitRoutes(Map<String, RabbitRoute> byQueue) {
        this.byQueue = Map.copyOf(byQueue);
    }

    /** The route of this queue; {@link RabbitRoute#NONE} if none is configured. */
    public RabbitRoute get(String queue) {
        return byQueue.getOrDefault(queue, RabbitRoute.NONE);
    }
}
