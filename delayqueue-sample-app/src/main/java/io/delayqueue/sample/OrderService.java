// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.jdbc.DelayQueueInbox;
import io.delayqueue.jdbc.ReceivedTask;
import io.delayqueue.sample.Order.Status;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Places, pays, extends and closes orders. The time-out of an order is a delayed task with the order's id. It is
 * scheduled, rescheduled and cancelled in the transaction that changes the order, so both happen or neither.
 */
@Service
@Transactional
class OrderService {

    static final String QUEUE = "orders";

    private final OrderBook book;
    private final DelayQueueOperations delayQueue;
    private final DelayQueueInbox inbox;
    private final ShopProperties properties;
    private final Clock clock;

    OrderService(
            OrderBook book,
            DelayQueueOperations delayQueue,
            DelayQueueInbox inbox,
            ShopProperties properties,
            Clock clock) {
        this.book = book;
        this.delayQueue = delayQueue;
        this.inbox = inbox;
        this.properties = properties;
        this.clock = clock;
    }

    Order place(String item) {
        String id = UUID.randomUUID().toString();
        Order order = new Order(id, item, Status.OPEN, fromNow(properties.paymentWindow()));
        book.add(order);
        delayQueue.schedule(ScheduleRequest.to(QUEUE)
                .id(id)
                .payload(new OrderTimeout(id))
                .dueAt(order.payBefore())
                .build());
        return order;
    }

    /** Returns whether the order was open. */
    boolean pay(String id) {
        boolean open = book.pay(id);
        if (open) {
            delayQueue.cancel(QUEUE, id);
        }
        return open;
    }

    /** Gives the customer more time, counted from now; returns whether the order was open. */
    boolean extend(String id, Duration by) {
        Instant payBefore = fromNow(by);
        boolean open = book.extend(id, payBefore);
        if (open) {
            delayQueue.reschedule(QUEUE, id, Due.at(payBefore));
        }
        return open;
    }

    /**
     * Closes an order whose time is up. The inbox records the task in the same transaction, so that it has one effect
     * even if it is delivered more than once. An order that was extended during the delivery stays open; its new task
     * closes it later.
     *
     * @param token fencing token of the delivery
     */
    Closing close(ReceivedTask task, String id, Instant dueAt, long token) {
        if (!inbox.accept(task)) {
            return Closing.DUPLICATE;
        }
        Optional<Order> order = book.find(id).filter(found -> !dueAt.isBefore(found.payBefore()));
        boolean closed = order.isPresent() && book.close(id, order.get().payBefore(), token);
        return closed ? Closing.CLOSED : Closing.NOT_OPEN;
    }

    /** The result of a time-out. */
    enum Closing {
        CLOSED,
        /** The order was paid or extended. */
        NOT_OPEN,
        /** The task had already been handled. */
        DUPLICATE
    }

    private Instant fromNow(Duration delay) {
        return clock.instant().plus(delay).truncatedTo(ChronoUnit.MILLIS);
    }
}
