// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Connects to the broker before listener containers start, so that their queues have been declared. A broker that is
 * down does not prevent the start: the declarations are made when it is reachable.
 */
public final class DeclareAtStart implements SmartLifecycle {

    private final @Nullable RabbitPublisher publisher;
    private volatile boolean running;

    /** @param publisher the publisher; null if it declares nothing */
    public DeclareAtStart(@Nullable RabbitPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void start() {
        running = true;
        if (publisher != null) {
            publisher.connect();
        }
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 10_000;
    }
}
