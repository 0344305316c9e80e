// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.internal.autoconfigure.settings.QueueValues;
import io.delayqueue.internal.autoconfigure.trigger.ConfiguredTriggers;
import io.delayqueue.rabbit.ConfiguredRabbitTrigger;
import io.delayqueue.rabbit.PublishObservations;
import io.delayqueue.rabbit.RabbitMessageCustomizer;
import io.delayqueue.rabbit.RabbitPublishers;
import io.delayqueue.rabbit.RabbitRoutes;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TriggerContext;
import java.util.List;
import java.util.Optional;

/** Makes triggers for the queues that have an exchange. */
public final class ConfiguredRabbitTriggers implements ConfiguredTriggers {

    private final TriggerContext context;
    private final RabbitPublishers publishers;
    private final RabbitRoutes routes;
    private final List<RabbitMessageCustomizer> customizers;
    private final PublishObservations observations;

    public ConfiguredRabbitTriggers(
            TriggerContext context,
            RabbitPublishers publishers,
            RabbitRoutes routes,
            List<RabbitMessageCustomizer> customizers,
            PublishObservations observations) {
        this.observations = observations;
        this.context = context;
        this.publishers = publishers;
        this.routes = routes;
        this.customizers = customizers;
    }

    @Override
    public Optional<ScanTrigger> create(QueueValues queue) {
        if (queue.find("rabbit.exchange", q -> q.rabbit().exchange()) == null) {
            return Optional.empty();
        }
        ConfiguredRabbitTrigger trigger = new ConfiguredRabbitTrigger(queue.name());
        trigger.setTriggerContext(context);
        trigger.setRabbitPublishers(publishers);
        trigger.setRabbitMessageCustomizers(customizers);
        trigger.setRabbitRoutes(routes);
        trigger.setPublishObservations(observations);
        return Optional.of(trigger);
    }
}
