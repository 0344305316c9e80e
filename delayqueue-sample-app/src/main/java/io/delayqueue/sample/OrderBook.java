// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.sample.Order.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.springframework.stereotype.Component;

/** The orders, in memory; a real shop has a database here. Of ended orders it keeps the last thousand. */
@Component
class OrderBook {

    private static final int ENDED_KEPT = 1000;

    private final Map<String, Order> orders = new ConcurrentHashMap<>();
    private final Queue<String> ended = new ConcurrentLinkedQueue<>();

    void add(Order order) {
        orders.put(order.id(), order);
    }

    Optional<Order> find(String id) {
        return Optional.ofNullable(orders.get(id));
    }

    /** Changes an order if it is still open; returns whether it was. */
    boolean changeIfOpen(String id, UnaryOperator<Order> change) {
        boolean[] changed = {false};
        Order after = orders.computeIfPresent(id, (key, order) -> {
            changed[0] = order.status() == Status.OPEN;
            return changed[0] ? change.apply(order) : order;
        });
        if (changed[0] && after != null && after.status() != Status.OPEN) {
            ended.add(id);
            if (ended.size() > ENDED_KEPT) {
                orders.remove(ended.remove());
            }
        }
        return changed[0];
    }

    List<Order> all() {
        List<Order> all = new ArrayList<>(orders.values());
        all.sort(Comparator.comparing(Order::payBefore));
        return all;
    }

    long open() {
        return orders.values().stream()
                .filter(order -> order.status() == Status.OPEN)
                .count();
    }
}
