// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RabbitServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One Redis and one RabbitMQ, whose applications have an intake, and a user that may declare its topology. */
public final class IntakeServers extends ProxiedServers {

    private final IntakeQueue queue = new IntakeQueue(rabbit());

    @Override
    public List<String> forApplications() {
        List<String> properties = new ArrayList<>(super.forApplications());
        properties.addAll(IntakeQueue.properties());
        return properties;
    }

    @Override
    String brokerUser(RabbitServer broker) {
        return broker.uri().getUserInfo();
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
