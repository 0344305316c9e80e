// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TypedQueue;
import io.delayqueue.sample.Order.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** What can be done with an order. Its time-out is a delayed task under the order's id. */
@Service
class OrderService {

    static final String QUEUE = "orders";

    /** The due time of an order that was extended is reckoned by this application's clock and by the Redis server's. */
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);

    private final OrderBook book;
    private final TypedQueue<OrderTimeout> timeouts;
    private final ShopProperties properties;
    private final ShopCounters counters;

    OrderService(OrderBook book, DelayQueueOperations delayQueue, ShopProperties properties, ShopCounters counters) {
        this.book = book;
        this.timeouts = delayQueue.queue(QUEUE, OrderTimeout.class);
        this.properties = properties;
        this.counters = counters;
    }

    /** The order is written first: if scheduling fails, the caller sees the error and an order that stays open. */
    Order place(String item) {
        String id = UUID.randomUUID().toString();
        Order order = new Order(id, item, Status.OPEN, Instant.now().plus(properties.paymentWindow()));
        book.add(order);
        Instant due = timeouts.schedule(id, new OrderTimeout(id), properties.paymentWindow())
                .dueAt();
        book.changeIfOpen(id, open -> open.payableUntil(due));
        counters.placed();
        return order.payableUntil(due);
    }

    /** Returns what became of the time-out; NOT_FOUND when the order was not open any more. */
    CancelOutcome pay(String id) {
        if (!book.changeIfOpen(id, order -> order.with(Status.PAID))) {
            return CancelOutcome.NOT_FOUND;
        }
        counters.paid();
        return timeouts.cancel(id);
    }

    /** Gives the customer more time, counted from now. */
    RescheduleOutcome extend(String id, Duration by) {
        if (!book.changeIfOpen(id, order -> order.payableUntil(Instant.now().plus(by)))) {
            return RescheduleOutcome.NOT_FOUND;
        }
        counters.extended();
        return timeouts.reschedule(id, by);
    }

    /**
     * Time is up, as it stood when the task was due. An order that was extended while the task was being delivered
     * stays open: another one is on its way.
     *
     * @return whether the order was closed
     */
    boolean close(String id, Instant dueAt) {
        boolean[] closed = {false};
        book.changeIfOpen(id, order -> {
            closed[0] = !dueAt.plus(CLOCK_TOLERANCE).isBefore(order.payBefore());
            return closed[0] ? order.with(Status.CLOSED) : order;
        });
        return closed[0];
    }
}
