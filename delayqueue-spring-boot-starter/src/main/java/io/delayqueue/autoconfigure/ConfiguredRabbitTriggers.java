// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.rabbit.ConfiguredRabbitTrigger;
import io.delayqueue.trigger.ScanTrigger;
import java.util.Optional;

/** Makes triggers for the queues that have an exchange. */
final class ConfiguredRabbitTriggers implements ConfiguredTriggers {

    @Override
    public Optional<ScanTrigger> create(QueueValues queue) {
        return queue.find("rabbit.exchange", q -> q.rabbit().exchange()) == null
                ? Optional.empty()
                : Optional.of(new ConfiguredRabbitTrigger(queue.name()));
    }
}
