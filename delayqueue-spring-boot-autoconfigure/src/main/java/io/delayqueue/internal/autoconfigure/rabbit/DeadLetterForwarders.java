// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.rabbit.publisher.RabbitDeadLetterForwarder;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/** Starts and stops the forwarding of dead tasks to RabbitMQ, for all queues that configure it. */
public record DeadLetterForwarders(List<RabbitDeadLetterForwarder> forwarders) implements SmartLifecycle {

    @Override
    public void start() {
        forwarders.forEach(RabbitDeadLetterForwarder::start);
    }

    @Override
    public void stop() {
        forwarders.forEach(RabbitDeadLetterForwarder::stop);
    }

    @Override
    public boolean isRunning() {
        return forwarders.stream().anyMatch(RabbitDeadLetterForwarder::isRunning);
    }
}
