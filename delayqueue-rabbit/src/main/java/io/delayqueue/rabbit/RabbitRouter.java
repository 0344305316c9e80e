// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import java.util.Set;
import java.util.function.Function;

/**
 * A bean that chooses the exchange and the routing key of each task:
 *
 * <pre>{@code
 * @Bean
 * RabbitRouter orderRouter() {
 *     return RabbitRouter.forQueue("orders",
 *             task -> new RabbitAddress("shop." + task.content().headers().get("country"), "order.timeout"));
 * }
 * }</pre>
 *
 * <p>A queue that a router names needs no {@code rabbit.exchange}. A router that names no queue decides for every queue
 * with an exchange or a {@link RabbitScanTrigger} bean. For one queue a router that names it takes precedence; two of
 * the same kind fail the start. A trigger bean that overrides {@link RabbitScanTrigger#address} decides without routers.
 */
@FunctionalInterface
public interface RabbitRouter {

    /**
     * Returns where the message of a task goes. The trigger calls it for every attempt, on the thread that delivers: it
     * must be quick, and must not settle the delivery. If it throws or returns {@code null}, this attempt fails, and the
     * other tasks of the batch continue.
     */
    RabbitAddress route(Delivery delivery);

    /** Returns the queues for which this router decides; empty for all queues whose tasks go to RabbitMQ. */
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
