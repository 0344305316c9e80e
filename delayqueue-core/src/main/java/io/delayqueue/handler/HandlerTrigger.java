// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.trigger.ScanTrigger;
import java.util.function.Function;
import java.util.function.Predicate;

/** Scans a queue for a handler in this process. */
final class HandlerTrigger extends ScanTrigger {

    private final Function<Predicate<Thread>, TaskDestination> destination;
    private final HandlerOptions options;

    /** @param destination creates the destination, given a function that replaces a hanging worker of this trigger */
    HandlerTrigger(String queue, Function<Predicate<Thread>, TaskDestination> destination, HandlerOptions options) {
        super(queue);
        this.destination = destination;
        this.options = options;
    }

    @Override
    protected TaskDestination createDestination() {
        return destination.apply(this::replaceWorker);
    }

    @Override
    protected QueueSettings customize(QueueSettings configured) {
        return options.applyTo(configured);
    }
}
