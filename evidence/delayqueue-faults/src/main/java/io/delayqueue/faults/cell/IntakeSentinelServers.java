// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Redis with Sentinels and one RabbitMQ, whose applications have an intake. */
final class IntakeSentinelServers extends SentinelServers {

    private final IntakeQueue queue = new IntakeQueue(rabbit());

    @Override
    public List<String> forApplications() {
        List<String> properties = new ArrayList<>(super.forApplications());
        properties.addAll(IntakeQueue.properties());
        return properties;
    }

    /** Returns the address with a user that may declare the intake's topology. */
    @Override
    String brokerOfApplications() {
        return "spring.rabbitmq.addresses=" + rabbit().uri();
    }

    @Override
    public boolean isDrained() {
        return queue.isEmpty();
    }

    @Override
    public Duration longestWait() {
        return IntakeQueue.LONGEST_WAIT;
    }

    @Override
    public void complete(Path histories) {
        super.complete(histories);
        queue.complete(histories);
    }

    @Override
    public List<String> leftOver() {
        return queue.leftOver();
    }

    @Override
    public void close() {
        queue.close();
        super.close();
    }
}
