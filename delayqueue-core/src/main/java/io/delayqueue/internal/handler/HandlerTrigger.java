// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.trigger.ScanTrigger;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** Scans a queue for a handler in this process. */
final class HandlerTrigger extends ScanTrigger {

    private final Function<Predicate<Thread>, TaskDestination> destination;
    private volatile boolean destroyed;

    /**
     * @param destination creates the destination, given a function that replaces a hanging worker of this trigger
     * @param context context with the settings of the queue as the handler overrides them
     */
    HandlerTrigger(String queue, Function<Predicate<Thread>, TaskDestination> destination, TriggerContext context) {
        super(queue);
        this.destination = destination;
        setBeanFactory(new StaticListableBeanFactory(Map.of("delayQueueTriggerContext", context)));
    }

    /** Starts the trigger, unless it was destroyed: a start that runs at the same time may still have it. */
    @Override
    public synchronized void start() {
        if (!destroyed) {
            super.start();
        }
    }

    @Override
    public void destroy() {
        synchronized (this) {
            destroyed = true;
        }
        super.destroy();
    }

    boolean isDestroyed() {
        return destroyed;
    }

    @Override
    protected TaskDestination createDestination() {
        return destination.apply(this::replaceWorker);
    }
}
