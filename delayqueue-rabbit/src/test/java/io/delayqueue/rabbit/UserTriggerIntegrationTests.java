// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** The least that a user writes. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class UserTriggerIntegrationTests {

    @Test
    void subclassDeliversFromTheStartOfTheContextToItsEnd(RedisServer redis, RabbitServer rabbit) throws Exception {
        Broker broker = new Broker(rabbit.uri());
        String target = broker.declare(Map.of());
        broker.with(channel -> channel.queueBind(target, target, "unpaid"));
        try (Scenario scenario = new Scenario(redis, rabbit.publisherUri())) {
            AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
            context.registerBean(TriggerContext.class, () -> scenario.context);
            context.registerBean(RabbitPublisher.class, () -> scenario.publisher);
            context.registerBean(OrderTimeoutTrigger.class, () -> new OrderTimeoutTrigger(scenario.queue, target));
            context.refresh();
            scenario.schedule(10, 10);
            scenario.awaitEmpty(Duration.ofSeconds(10));
            assertThat(broker.drainCounts(target)).hasSize(10);

            context.close();
            scenario.schedule(10, 10);
            assertThat(broker.drainCounts(target)).isEmpty();
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.contains(scenario.queue));
        }
    }

    static class OrderTimeoutTrigger extends RabbitScanTrigger {

        private final String exchange;

        OrderTimeoutTrigger(String queue, String exchange) {
            super(queue);
            this.exchange = exchange;
        }

        @Override
        protected RabbitAddress address(Delivery delivery) {
            return new RabbitAddress(
                    exchange,
                    delivery.content().headers().getOrDefault("key", "unpaid").toString());
        }
    }
}
