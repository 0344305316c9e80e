// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.rabbit.ConfiguredRabbitTrigger;
import io.delayqueue.rabbit.RabbitPublisher;
import io.delayqueue.rabbit.RabbitRoutes;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TriggerContext;
import java.util.Optional;

/** Makes triggers for the queues that have an exchange. */
final class ConfiguredRabbitTriggers implements ConfiguredTriggers {

    private final TriggerContext context;
    private final RabbitPublisher publisher;
    private final RabbitRoutes routes;

    ConfiguredRabbitTriggers(TriggerContext context, RabbitPublisher publisher, RabbitRoutes routes) {
        this.context = context;
        this.publisher = publisher;
        this.routes = routes;
    }

    @Override
    public Optional<ScanTrigger> create(QueueValues queue) {
        if (queue.find("rabbit.exchange", q -> q.rabbit().exchange()) == null) {
            return Optional.empty();
        }
        ConfiguredRabbitTrigger trigger = new ConfiguredRabbitTrigger(queue.name());
        trigger.setTriggerContext(context);
        trigger.setRabbitPublisher(publisher);
        trigger.setRabbitRoutes(routes);
        return Optional.of(trigger);
    }
}
