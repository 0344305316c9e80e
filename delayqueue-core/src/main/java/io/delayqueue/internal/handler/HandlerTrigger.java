// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.trigger.ScanTrigger;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** A registered handler, which is also the trigger that scans its queue. */
final class HandlerTrigger extends ScanTrigger implements HandlerRegistration {

    private final String id;
    private final Function<Predicate<Thread>, TaskDestination> destination;
    private final Consumer<HandlerTrigger> onClose;
    private boolean closed;

    /**
     * @param destination creates the destination, given a function that replaces a hanging worker of this trigger
     * @param context context with the settings of the queue as the handler overrides them
     * @param onClose frees the queue for another handler
     */
    HandlerTrigger(
            String id,
            String queue,
            Function<Predicate<Thread>, TaskDestination> destination,
            TriggerContext context,
            Consumer<HandlerTrigger> onClose) {
        super(queue);
        this.id = id;
        this.destination = destination;
        this.onClose = onClose;
        setBeanFactory(new StaticListableBeanFactory(Map.of("delayQueueTriggerContext", context)));
    }

    @Override
    protected TaskDestination createDestination() {
        return destination.apply(this::replaceWorker);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public synchronized void start() {
        if (closed) {
            throw new DelayQueueException(
                    "The handler of queue '" + queue() + "' was closed; register it again to start it");
        }
        super.start();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        destroy();
        onClose.accept(this);
    }
}
