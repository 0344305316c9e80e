// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.jdbc.ReceivedTask;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** Receives time-outs directly from the delay queue, if there is no broker. */
@Component
@Profile("brokerless")
class OrderTimeoutHandler {

    private final OrderCloser closer;

    OrderTimeoutHandler(OrderCloser closer) {
        this.closer = closer;
    }

    @DelayQueueListener(queue = OrderService.QUEUE)
    void onTimeout(DelayedTask<OrderTimeout> task) {
        closer.timeIsUp(
                task.payload(),
                ReceivedTask.of(task),
                task.dueAt(),
                task.lease().fencingToken(),
                task.lateness());
    }
}
