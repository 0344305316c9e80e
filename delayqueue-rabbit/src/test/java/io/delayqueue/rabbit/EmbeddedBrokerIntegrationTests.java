// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The broker that the sample runs on by default; it nacks what is unroutable before it returns it. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.EMBEDDED)
class EmbeddedBrokerIntegrationTests {

    private final Broker broker;
    private final Scenario scenario;
    private String target;

    EmbeddedBrokerIntegrationTests(RedisServer redis, EmbeddedAmqpBroker embedded) {
        this.broker = new Broker(embedded.uri());
        this.scenario = new Scenario(redis, embedded.uri());
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
    void deliverWhenUnroutableMakesItDeadAfterTheLastAttempt() {
        scenario.schedule("lost", "text/plain", Map.of(), "x");
        scenario.start(target, "nowhere");

        assertThat(scenario.awaitDead("lost"))
                .isEqualTo("unroutable: exchange '" + target + "', routing key 'nowhere': no queue is bound");
        assertThat(scenario.find("lost").failures()).isEqualTo(3);
        assertThat(scenario.publisher.confirms().nacks()).isZero();
        assertThat(scenario.publisher.confirms().returns()).isEqualTo(3);
    }
}
