// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages over which RabbitMQ closes the whole connection: it cannot read a header that is no number. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class ClosedConnectionIntegrationTests {

    private static final RabbitMessageCustomizer CARELESS = (properties, delivery) -> {
        if (delivery.id().startsWith("bad")) {
            properties.setHeader("ratio", Double.NaN);
        }
    };

    private final Broker broker;
    private final Scenario scenario;
    private final AtomicInteger connections = new AtomicInteger();
    private String target;

    ClosedConnectionIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.broker = new Broker(rabbit.uri());
        this.scenario = new Scenario(redis, rabbit.publisherUri());
        scenario.publisher.connectionFactory().addConnectionListener(made -> connections.incrementAndGet());
    }

    @BeforeEach
    void declare() throws Exception {
        target = broker.declare(Map.of());
    }

    @AfterEach
    void close() {
        scenario.close();
    }

    @Test
    void deliverWhenTheBrokerClosesTheConnectionOverOneMessageCountsThatOneAlone() throws Exception {
        scenario.schedule("good-", 900, 100);
        scenario.schedule("bad", "text/plain", Map.of(), "x");
        scenario.schedule("late-", 900, 100);
        RabbitScanTrigger trigger = start();
        try {
            assertThat(scenario.awaitDead("bad")).startsWith("the broker closed the connection because of it: ");
            scenario.awaitEmpty(Duration.ofSeconds(20));
        } finally {
            trigger.destroy();
        }

        assertThat(scenario.find("bad").failures()).isEqualTo(3);
        assertThat(scenario.stats().dead()).isEqualTo(1);
        assertThat(broker.firstAttempts(target)).hasSize(1800);
        assertThat(connections).as("those that its retries closed").hasValueLessThanOrEqualTo(2);
    }

    @Test
    void deliverWhenTheBrokerClosesTheConnectionOverManyMessagesCountsThoseAlone() throws Exception {
        scenario.schedule("good-", 100, 100);
        scenario.schedule("bad-", 8, 100);
        scenario.schedule("late-", 100, 100);
        RabbitScanTrigger trigger = start();
        try {
            scenario.awaitEmpty(Duration.ofSeconds(60));
        } finally {
            trigger.destroy();
        }

        assertThat(scenario.stats().dead()).isEqualTo(8);
        assertThat(broker.firstAttempts(target)).hasSize(200);
    }

    private RabbitScanTrigger start() {
        return scenario.start(target, target, CARELESS);
    }
}
