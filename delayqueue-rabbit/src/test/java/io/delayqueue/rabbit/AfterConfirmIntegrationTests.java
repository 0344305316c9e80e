// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.rabbit.publisher.PublishObservations;
import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The threads on which batches end if no worker waits for them. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class AfterConfirmIntegrationTests {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final Broker broker;
    private final Scenario scenario;
    private final Set<String> blocked = ConcurrentHashMap.newKeySet();
    private final CountDownLatch unblock = new CountDownLatch(1);

    AfterConfirmIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.broker = new Broker(rabbit.uri());
        InterceptorChain interceptors = new InterceptorChain(List.of(new DeliveryInterceptor() {
            @Override
            public void after(Delivery delivery) {
                if (delivery.id().startsWith("slow-")) {
                    blocked.add(delivery.id());
                    awaitUninterruptibly(unblock);
                }
            }
        }));
        this.scenario = new Scenario(redis, rabbit.publisherUri(), 3, Duration.ofSeconds(60), 4, interceptors);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void close() {
        unblock.countDown();
        scenario.close();
    }

    @Test
    void batchesWhenTheApplicationBlocksTheEndOfSomeEndAllTheSame() throws Exception {
        String target = broker.declare(Map.of());
        scenario.start(target, target);
        for (int i = 0; i < 6; i++) {
            String id = "slow-" + i;
            scenario.schedule(id, "text/plain", Map.of(), "x");
            await().atMost(SOON).until(() -> blocked.contains(id));
        }

        scenario.schedule("quick", "text/plain", Map.of(), "x");
        await().atMost(SOON).until(() -> scenario.stats().live() == 6);

        unblock.countDown();
        scenario.awaitEmpty(SOON);
        assertThat(broker.drain(target)).hasSize(7);
    }

    @Test
    void batchesWhenNoThreadCanBeMadeToEndThemEndAllTheSame() throws Exception {
        String target = broker.declare(Map.of());
        AtomicInteger refused = new AtomicInteger();
        Executor none = task -> {
            refused.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
        };
        OutgoingMapper mapper = new OutgoingMapper(delivery -> new RabbitAddress(target, target));
        scenario.schedule(5000, 20);
        scenario.start(
                scenario.publisher.destination(mapper, Scenario.PUBLISHING, PublishObservations.NONE::start, none));

        scenario.awaitEmpty(SOON);
        assertThat(refused).hasPositiveValue();
        assertThat(broker.drain(target)).hasSize(5000);
    }
}
