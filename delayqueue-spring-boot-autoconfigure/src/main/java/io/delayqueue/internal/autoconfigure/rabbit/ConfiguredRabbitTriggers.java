// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.trigger.ConfiguredTriggers;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.rabbit.publisher.RabbitRoutes;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitRouter;
import io.delayqueue.rabbit.RabbitScanTrigger;
import io.delayqueue.trigger.ScanTrigger;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;

/** Creates triggers for queues that have an exchange, are named by a router, or store the messages of an intake. */
public final class ConfiguredRabbitTriggers implements ConfiguredTriggers {

    private final BeanFactory beans;
    private final RabbitRoutes routes;
    private final Set<String> intakeQueues;
    private final List<RabbitRouter> routers;

    public ConfiguredRabbitTriggers(
            QueueCatalog queues,
            BeanFactory beans,
            RabbitRoutes routes,
            Set<String> intakeQueues,
            List<RabbitRouter> routers) {
        for (RabbitRouter router : routers) {
            checkConfigured(router, queues.names());
        }
        this.beans = beans;
        this.routes = routes;
        this.intakeQueues = Set.copyOf(intakeQueues);
        this.routers = routers;
    }

    private static void checkConfigured(RabbitRouter router, Collection<String> queues) {
        for (String queue : router.queues()) {
            if (!queues.contains(queue)) {
                String property = "delayqueue.queues." + queue;
                throw new InvalidDelayQueueSetupException(
                        property,
                        "A RabbitRouter bean of type " + router.getClass().getName() + " names the queue '" + queue
                                + "', but " + property + " is not configured. Configured queues: " + queues + ".",
                        "Configure " + property + ", or name another queue in the router.");
            }
        }
    }

    @Override
    public Optional<ScanTrigger> create(String queue) {
        boolean isNamed = routers.stream().anyMatch(router -> router.queues().contains(queue));
        boolean hasExchange = routes.get(queue).exchange() != null;
        if (!isNamed && !hasExchange && !intakeQueues.contains(queue)) {
            return Optional.empty();
        }
        RabbitScanTrigger trigger =
                intakeQueues.contains(queue) ? new IntakeTrigger(queue) : new RabbitScanTrigger(queue) {};
        trigger.setBeanFactory(beans);
        return Optional.of(trigger);
    }

    /** Trigger that publishes messages of intakes to their own addresses. Needs an exchange only for other tasks. */
    private static final class IntakeTrigger extends RabbitScanTrigger {

        IntakeTrigger(String queue) {
            super(queue);
        }

        @Override
        protected RabbitAddress address(Delivery delivery) {
            return super.address(delivery);
        }
    }
}
