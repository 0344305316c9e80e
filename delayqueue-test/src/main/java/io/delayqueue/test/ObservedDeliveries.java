// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.core.Ordered;

/**
 * Counts deliveries, and lets those fail that are to. Called inside all other interceptors, so that these hear of such a
 * failure. Safe for use by many threads.
 */
final class ObservedDeliveries implements DeliveryInterceptor, Ordered {

    private final AtomicLong begun = new AtomicLong();
    private final Map<Task, Integer> toFail = new ConcurrentHashMap<>();
    private final Map<Task, Integer> delivered = new ConcurrentHashMap<>();

    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void before(Delivery delivery) {
        begun.incrementAndGet();
        if (take(toFail, new Task(delivery.queue(), delivery.id()))) {
            throw new ProvokedFailure("The test has asked for this failure of task '" + delivery.id() + "', attempt "
                    + delivery.attempt());
        }
    }

    @Override
    public void after(Delivery delivery) {
        delivered.merge(new Task(delivery.queue(), delivery.id()), 1, Integer::sum);
    }

    /** How many have begun, those that were to fail included. */
    long begun() {
        return begun.get();
    }

    void failNext(String queue, String id, int times) {
        toFail.merge(new Task(queue, id), times, Integer::sum);
    }

    /** Whether the task was delivered once more than was asked for; then that is used up. */
    boolean takeDelivered(String queue, String id) {
        return take(delivered, new Task(queue, id));
    }

    void forget() {
        toFail.clear();
        delivered.clear();
    }

    private static boolean take(Map<Task, Integer> counts, Task task) {
        boolean[] taken = {false};
        counts.computeIfPresent(task, (any, left) -> {
            taken[0] = true;
            return (left == 1) ? null : left - 1;
        });
        return taken[0];
    }

    private record Task(String queue, String id) {}
}
