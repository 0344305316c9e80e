// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.jdbc.ReceivedTask;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Closes and counts orders whose time is up. */
@Component
class OrderCloser {

    private static final Logger log = LoggerFactory.getLogger(OrderCloser.class);

    private final OrderService service;
    private final ShopCounters counters;

    OrderCloser(OrderService service, ShopCounters counters) {
        this.service = service;
        this.counters = counters;
    }

    void timeIsUp(OrderTimeout timeout, ReceivedTask task, Instant dueAt, long token, Duration lateness) {
        switch (service.close(task, timeout.orderId(), dueAt, token)) {
            case CLOSED -> {
                counters.closed(lateness);
                log.info("closed order {}, {} ms after it was due", timeout.orderId(), lateness.toMillis());
            }
            case NOT_OPEN -> counters.closedTooLate();
            case DUPLICATE -> counters.duplicate();
        }
    }
}
