// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import java.util.Set;
import java.util.function.Function;

/**
 * Strategy that chooses the exchange and the routing key for each task. Declare it as a bean:
 * <pre>{@code
 * @Bean
 * RabbitRouter orderRouter() {
 *     return RabbitRouter.forQueue("orders",
 *             task -> new RabbitAddress("shop." + task.content().headers().get("country"), "order.timeout"));
 * }
 * }</pre>
 *
 * <p>A queue that is named by a router needs no {@code rabbit.exchange}. A router without queue names applies to every
 * queue that has an exchange or a {@link RabbitScanTrigger} bean; a router that names the queue takes precedence. The
 * application does not start if two routers name the same queue, or two have no names. Routers do not apply to a
 * trigger bean that overrides {@link RabbitScanTrigger#address}.
 */
@FunctionalInterface
public interface RabbitRouter {

    /**
     * Returns the address for a task's message. Called for each attempt, on the delivering thread. Must be fast and
     * must not settle the delivery. If it throws or returns {@code null}, only this attempt fails. If a name has more
     * than 255 bytes, the task becomes dead.
     */
    RabbitAddress route(Delivery delivery);

    /**
     * Returns the queues of this router; empty for all queues that deliver to RabbitMQ. The application does not start
     * if a queue is not configured.
     */
    default Set<String> queues() {
        return Set.of();
    }

    /** Returns a router for one queue. */
    static RabbitRouter forQueue(String queue, Function<Delivery, RabbitAddress> addresses) {
        return new RabbitRouter() {
            @Override
            public RabbitAddress route(Delivery delivery) {
                return addresses.apply(delivery);
            }

            @Override
            public Set<String> queues() {
                return Set.of(queue);
            }
        };
    }
}
