// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
            assertThat(scenario.awaitDead("bad")).startsWith("the broker closed the connection over it: ");
            scenario.awaitEmpty(Duration.ofSeconds(20));
        } finally {
            trigger.destroy();
        }

        assertThat(scenario.find("bad").failures()).isEqualTo(3);
        assertThat(scenario.stats().dead()).isEqualTo(1);
        assertThat(firstAttempts()).hasSize(1800);
        assertThat(connections).as("those that its retries closed").hasValueLessThanOrEqualTo(2);
    }

    @Test
    void deliverWhenTheBrokerClosesTheConnectionOverManyMessagesCountsThoseAlone() throws Exception {
        scenario.schedule("good-", 100, 100);
        scenario.schedule("bad-", 20, 100);
        scenario.schedule("late-", 100, 100);
        RabbitScanTrigger trigger = start();
        try {
            scenario.awaitEmpty(Duration.ofSeconds(60));
        } finally {
            trigger.destroy();
        }

        assertThat(scenario.stats().dead()).isEqualTo(20);
        assertThat(firstAttempts()).hasSize(200);
    }

    /** The ids of all that arrived, and nothing of it after a failure. */
    private Set<String> firstAttempts() throws Exception {
        Set<String> ids = new HashSet<>();
        for (GetResponse message : broker.drain(target)) {
            assertThat(message.getProps().getHeaders()).containsEntry(RabbitHeaders.ATTEMPT, 1);
            ids.add(message.getProps().getMessageId());
        }
        return ids;
    }

    private RabbitScanTrigger start() {
        ConfiguredRabbitTrigger trigger = new ConfiguredRabbitTrigger(scenario.queue);
        trigger.setTriggerContext(scenario.context);
        trigger.setRabbitPublisher(scenario.publisher);
        trigger.setRabbitMessageCustomizers(List.of(CARELESS));
        trigger.setRabbitRoutes(new RabbitRoutes(Map.of(scenario.queue, RabbitRoute.to(target, target))));
        trigger.start();
        return trigger;
    }
}
