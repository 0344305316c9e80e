// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One Redis and one RabbitMQ, whose applications have an intake, and a user that may declare its topology. */
final class IntakeServers extends StandaloneServers {

    private final IntakeQueue queue = new IntakeQueue(rabbit());

    @Override
    public List<String> forApplications() {
        List<String> properties = new ArrayList<>(IntakeQueue.properties());
        properties.add(redisProperty(redis().port()));
        properties.add("spring.rabbitmq.addresses=" + rabbit().uri());
        return properties;
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
