// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.timeouts;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TypedQueue;
import io.delayqueue.annotation.DelayQueueListener;
import java.time.Duration;
import org.springframework.stereotype.Service;

@Service
class Checkout {

    private static final Duration PAYMENT_WINDOW = Duration.ofMinutes(15);

    private final OrderTable orders;
    private final TypedQueue<PaymentDue> timeouts;

    Checkout(OrderTable orders, DelayQueueOperations delayQueue) {
        this.orders = orders;
        this.timeouts = delayQueue.queue("payment-timeouts", PaymentDue.class);
    }

    void place(String orderId) {
        orders.insert(orderId);
        timeouts.schedule(orderId, new PaymentDue(orderId), Due.after(PAYMENT_WINDOW));
    }

    boolean pay(String orderId) {
        boolean inTime = orders.move(orderId, "OPEN", "PAID");
        if (inTime) {
            timeouts.cancel(orderId);
        }
        return inTime;
    }

    boolean extend(String orderId) {
        return timeouts.reschedule(orderId, Due.after(PAYMENT_WINDOW)) == RescheduleOutcome.RESCHEDULED;
    }

    @DelayQueueListener(queue = "payment-timeouts")
    void timeIsUp(PaymentDue due) {
        if (orders.move(due.orderId(), "OPEN", "CLOSED")) {
            release(due.orderId());
        }
    }

    private void release(String orderId) {
        // release the reservation
    }
}
