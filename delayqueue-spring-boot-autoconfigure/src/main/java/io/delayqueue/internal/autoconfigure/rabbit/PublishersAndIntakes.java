// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.autoconfigure.health.Brokers;
import io.delayqueue.internal.rabbit.publisher.RabbitPublishers;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;

/** Reports the state of this process's brokers. */
public final class PublishersAndIntakes implements Brokers {

    private final RabbitPublishers publishers;
    private final ObjectProvider<RabbitIntakes> intakes;

    public PublishersAndIntakes(RabbitPublishers publishers, ObjectProvider<RabbitIntakes> intakes) {
        this.publishers = publishers;
        this.intakes = intakes;
    }

    @Override
    public Map<String, State> states() {
        Map<String, State> states = new TreeMap<>();
        publishers
                .all()
                .forEach(publisher -> states.put(
                        publisher.options().connectionName(),
                        new State(publisher.isConnected(), publisher.isBlocked(), publisher.isUnreachable())));
        return states;
    }

    @Override
    public Map<String, Optional<String>> intakes() {
        return intakes.stream().findFirst().map(RabbitIntakes::problems).orElse(Map.of());
    }
}
