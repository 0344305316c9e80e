// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.delivery.Delivery;
import org.slf4j.MDC;

/** Sets the logging context (MDC) while a handler runs. */
final class LoggingContext {

    private static final String QUEUE = "delayqueue.queue";
    private static final String TASK = "delayqueue.task";
    private static final String ATTEMPT = "delayqueue.attempt";

    private LoggingContext() {}

    static void put(Delivery delivery) {
        MDC.put(QUEUE, delivery.queue());
        MDC.put(TASK, delivery.id());
        MDC.put(ATTEMPT, Integer.toString(delivery.attempt()));
    }

    /** Sets the context of a batch, which contains only the queue. */
    static void put(String queue) {
        remove();
        MDC.put(QUEUE, queue);
    }

    static void remove() {
        MDC.remove(ATTEMPT);
        MDC.remove(TASK);
        MDC.remove(QUEUE);
    }
}
