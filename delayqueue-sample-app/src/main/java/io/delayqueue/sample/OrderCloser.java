// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Closes orders whose time is up, once for each task however often it is delivered. */
@Component
class OrderCloser {

    private static final Logger log = LoggerFactory.getLogger(OrderCloser.class);

    private final OrderService service;
    private final SeenTasks seen = new SeenTasks(10_000);
    private final ShopCounters counters;

    OrderCloser(OrderService service, ShopCounters counters) {
        this.service = service;
        this.counters = counters;
    }

    void timeIsUp(OrderTimeout timeout, String taskKey, long dueAtMillis, Duration lateness) {
        if (!seen.firstTime(taskKey)) {
            counters.duplicate();
        } else if (service.close(timeout.orderId(), Instant.ofEpochMilli(dueAtMillis))) {
            counters.closed(lateness);
            log.info("closed order {}, {} ms after it was due", timeout.orderId(), lateness.toMillis());
        } else {
            counters.closedTooLate();
        }
    }
}
