// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.DelayQueueException;
import java.util.function.BiConsumer;

/** A registered handler. Safe for use by many threads; the methods block until they are done. */
public final class HandlerRegistration {

    private final HandlerTrigger trigger;
    private final String id;
    private final BiConsumer<HandlerRegistration, HandlerTrigger> remover;
    private boolean closed;

    /** @param remover makes room for another handler of the queue */
    HandlerRegistration(String id, HandlerTrigger trigger, BiConsumer<HandlerRegistration, HandlerTrigger> remover) {
        this.id = id;
        this.trigger = trigger;
        this.remover = remover;
    }

    /** Returns the id that the handler was registered with, or else the name of its queue. */
    public String id() {
        return id;
    }

    /** Returns the queue whose tasks the handler takes. */
    public String queue() {
        return trigger.queue();
    }

    /** Returns whether the handler takes tasks. */
    public boolean isRunning() {
        return trigger.isRunning();
    }

    /**
     * Takes tasks (again).
     *
     * @throws DelayQueueException if this was closed
     */
    public synchronized void start() {
        if (closed) {
            throw new DelayQueueException(
                    "The handler of queue '" + trigger.queue() + "' was closed; register it again to start it");
        }
        trigger.start();
    }

    /**
     * Stops taking tasks and waits for running handlers up to the close time-out. A handler that calls this is not waited for;
     * it continues and ends as usual. It may be started again.
     */
    public void stop() {
        trigger.stop();
    }

    /** Stops for good; another handler may then be registered for the queue. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        trigger.destroy();
        remover.accept(this, trigger);
    }
}
