// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.DelayQueueException;
import java.util.function.BiConsumer;

/** A registered handler. Thread-safe. Its methods block until they are done. */
public final class HandlerRegistration {

    private final HandlerTrigger trigger;
    private final String id;
    private final BiConsumer<HandlerRegistration, HandlerTrigger> remover;
    private boolean closed;

    /** @param remover frees the queue for another handler */
    HandlerRegistration(String id, HandlerTrigger trigger, BiConsumer<HandlerRegistration, HandlerTrigger> remover) {
        this.id = id;
        this.trigger = trigger;
        this.remover = remover;
    }

    /** Returns the id with which the handler was registered, or else the name of its queue. */
    public String id() {
        return id;
    }

    /** Returns the queue of the handler. */
    public String queue() {
        return trigger.queue();
    }

    /** Returns whether the handler is acquiring tasks. */
    public boolean isRunning() {
        return trigger.isRunning();
    }

    /**
     * Starts or restarts acquiring tasks.
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
     * Stops acquiring tasks and waits for running handlers up to the close time-out. A handler that calls this is not
     * awaited; it continues and ends as usual. The registration can be restarted.
     */
    public void stop() {
        trigger.stop();
    }

    /** Stops permanently. Another handler may then be registered for the queue. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        trigger.destroy();
        remover.accept(this, trigger);
    }
}
