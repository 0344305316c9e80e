// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.autoconfigure.health.Brokers;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reports the state of this process's brokers. */
public final class PublishersAndIntakes implements Brokers {

    private final @Nullable RabbitPublisher publisher;
    private final @Nullable RabbitIntakes intakes;

    public PublishersAndIntakes(@Nullable RabbitPublisher publisher, @Nullable RabbitIntakes intakes) {
        this.publisher = publisher;
        this.intakes = intakes;
    }

    @Override
    public Map<String, State> states() {
        return (publisher == null)
                ? Map.of()
                : Map.of(
                        publisher.options().connectionName(),
                        new State(publisher.isConnected(), publisher.isBlocked(), publisher.isUnreachable()));
    }

    @Override
    public Map<String, Optional<String>> intakes() {
        return (intakes == null) ? Map.of() : intakes.problems();
    }
}
