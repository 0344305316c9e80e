// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskDestination;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Notes every delivery and does with it what the test says. */
public final class CollectingDestination implements TaskDestination {

    private final ConcurrentLinkedQueue<Delivery> seen = new ConcurrentLinkedQueue<>();
    private final Consumer<Delivery> behaviour;

    public CollectingDestination(Consumer<Delivery> behaviour) {
        this.behaviour = behaviour;
    }

    public static CollectingDestination acknowledging() {
        return new CollectingDestination(Delivery::acknowledge);
    }

    @Override
    public void deliver(List<Delivery> deliveries) {
        deliveries.forEach(delivery -> {
            seen.add(delivery);
            behaviour.accept(delivery);
        });
    }

    public List<Delivery> seen() {
        return List.copyOf(seen);
    }

    public List<String> ids() {
        return seen.stream().map(Delivery::id).toList();
    }
}
