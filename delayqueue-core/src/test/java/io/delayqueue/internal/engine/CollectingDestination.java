// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Notes every delivery and does with it what the test says. */
public class CollectingDestination implements TaskDestination {

    private final ConcurrentLinkedQueue<OpenDelivery> seen = new ConcurrentLinkedQueue<>();
    private final Consumer<OpenDelivery> behaviour;

    public CollectingDestination(Consumer<OpenDelivery> behaviour) {
        this.behaviour = behaviour;
    }

    public static CollectingDestination acknowledging() {
        return new CollectingDestination(delivery -> delivery.settle(Outcome.delivered()));
    }

    @Override
    public void deliver(List<OpenDelivery> deliveries) {
        deliveries.forEach(delivery -> {
            seen.add(delivery);
            behaviour.accept(delivery);
        });
    }

    public List<OpenDelivery> seen() {
        return List.copyOf(seen);
    }

    public List<String> ids() {
        return seen.stream().map(OpenDelivery::id).toList();
    }
}
