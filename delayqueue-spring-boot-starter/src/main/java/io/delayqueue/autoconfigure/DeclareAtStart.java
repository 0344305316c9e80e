// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.rabbit.RabbitPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Connects to the broker before listener containers start, so that the queues they listen to have been declared. A
 * broker that is down keeps nothing from starting: what was asked for is declared when it can be connected to.
 */
final class DeclareAtStart implements SmartLifecycle {

    private final RabbitPublisher publisher;
    private final boolean anything;
    private volatile boolean running;

    DeclareAtStart(RabbitPublisher publisher, boolean anything) {
        this.publisher = publisher;
        this.anything = anything;
    }

    @Override
    public void start() {
        running = true;
        if (anything) {
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
