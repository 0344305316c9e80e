// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import java.util.Set;
import java.util.function.Function;

/**
 * Chooses the exchange and the routing key of each task. Declare it as a bean:
 * <pre>{@code
 * @Bean
 * RabbitRouter orderRouter() {
 *     return RabbitRouter.forQueue("orders",
 *             task -> new RabbitAddress("shop." + task.content().headers().get("country"), "order.timeout"));
 * }
 * }</pre>
 *
 * <p>A queue with its own router needs no {@code rabbit.exchange}. A router without queue names applies to every queue
 * that has an exchange or a {@link RabbitScanTrigger} bean. A router that names a queue takes precedence for it. Two
 * routers at the same level fail the start. A trigger bean that overrides {@link RabbitScanTrigger#address} ignores
 * routers.
 */
@FunctionalInterface
public interface RabbitRouter {

    /**
     * Returns the address for a task's message. Called for every attempt on the delivering thread: it must be fast and
     * must not settle the delivery. If it throws or returns {@code null}, only this attempt fails. A name with more
     * than 255 bytes makes the task dead.
     */
    RabbitAddress route(Delivery delivery);

    /**
     * Returns the queues of this router; empty for all queues whose tasks go to RabbitMQ. A name that is not configured
     * fails the start.
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
