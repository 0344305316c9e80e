// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where publishing calls code of the application: whatever it throws, each task arrives once, and slots are free again.
 */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class RabbitThrownErrorsIntegrationTests {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int TASKS = 500;
    /** More than a trigger with two threads may have under lease. */
    private static final int TIMES = 200;

    private final Broker broker;
    private final URI uri;
    private final Scenario scenario;
    private final AtomicInteger left = new AtomicInteger(TIMES);
    private volatile String seam = "";

    RabbitThrownErrorsIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.broker = new Broker(rabbit.uri());
        this.uri = rabbit.publisherUri();
        InterceptorChain interceptors = new InterceptorChain(List.of(new DeliveryInterceptor() {
            @Override
            public void before(Delivery delivery) {
                trip("before");
            }

            @Override
            public void after(Delivery delivery) {
                trip("after");
            }

            @Override
            public void error(Delivery delivery, Throwable error) {
                trip("error");
            }
        }));
        this.scenario = new Scenario(redis, rabbit.publisherUri(), 10, Duration.ofSeconds(60), 2, interceptors);
    }

    private void trip(String name) {
        if (seam.equals(name) && left.getAndDecrement() > 0) {
            throw new NoSuchMethodError(name);
        }
    }

    @AfterEach
    void close() {
        scenario.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after", "error", "route"})
    void deliverWhenCodeOfTheApplicationThrowsAnErrorGoesOn(String throwing) throws Exception {
        seam = throwing;
        String target = broker.declare(Map.of());
        scenario.schedule(TASKS, 20);
        RabbitScanTrigger trigger = scenario.start(target, delivery -> {
            trip("route");
            return seam.equals("error") && delivery.attempt() == 1 ? "nowhere" : target;
        });

        scenario.awaitEmpty(SOON);
        assertThat(left.get()).isLessThanOrEqualTo(0);
        assertThat(broker.drain(target)).hasSize(TASKS);
        long begin = System.nanoTime();
        trigger.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("no slot is taken for ever, or the stop would wait for it")
                .isLessThan(Duration.ofSeconds(5));
    }
}
