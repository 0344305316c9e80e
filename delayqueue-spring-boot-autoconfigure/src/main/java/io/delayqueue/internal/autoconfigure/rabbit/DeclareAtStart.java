// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import java.util.Set;
import org.springframework.context.SmartLifecycle;

/**
 * Connects to the brokers before listener containers start, so that their queues are declared. If a broker is down, the
 * application starts, and the declarations are made when the broker is reachable.
 */
public final class DeclareAtStart implements SmartLifecycle {

    private final Set<RabbitPublisher> publishers;
    private volatile boolean running;

    /** @param publishers the publishers with declarations */
    public DeclareAtStart(Set<RabbitPublisher> publishers) {
        this.publishers = Set.copyOf(publishers);
    }

    @Override
    public void start() {
        running = true;
        publishers.forEach(RabbitPublisher::connect);
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
