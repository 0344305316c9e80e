// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.DelayQueueException;
import io.delayqueue.handler.HandlerRegistration;
import java.util.function.BiConsumer;

final class Registration implements HandlerRegistration {

    private final HandlerTrigger trigger;
    private final String id;
    private final BiConsumer<Registration, HandlerTrigger> remover;
    private boolean closed;

    /** @param remover frees the queue for another handler */
    Registration(String id, HandlerTrigger trigger, BiConsumer<Registration, HandlerTrigger> remover) {
        this.id = id;
        this.trigger = trigger;
        this.remover = remover;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String queue() {
        return trigger.queue();
    }

    @Override
    public boolean isRunning() {
        return trigger.isRunning();
    }

    @Override
    public synchronized void start() {
        if (closed) {
            throw new DelayQueueException(
                    "The handler of queue '" + trigger.queue() + "' was closed; register it again to start it");
        }
        trigger.start();
    }

    @Override
    public void stop() {
        trigger.stop();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        trigger.destroy();
        remover.accept(this, trigger);
    }
}
