// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.GetResponse;
import io.delayqueue.BadInput;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.internal.rabbit.publisher.RabbitRoute;
import io.delayqueue.internal.rabbit.publisher.RabbitRoutes;
import io.delayqueue.internal.rabbit.publisher.TriggerExtensions;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.MessageDeliveryMode;

/** What messages carry beside the task, as RabbitMQ has it. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class MessagePropertiesIntegrationTests {

    private static final RabbitMessageCustomizer FORGER = (properties, delivery) -> {
        properties.setHeader(RabbitHeaders.ID, "forged");
        properties.setHeader("DQ-extra", "forged");
        properties.getHeaders().remove(TaskHeaders.TYPE);
    };

    private final Broker broker;
    private final Scenario scenario;
    private String target;

    MessagePropertiesIntegrationTests(RedisServer redis, RabbitServer rabbit) {
        this.broker = new Broker(rabbit.uri());
        this.scenario = new Scenario(redis, rabbit.publisherUri());
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
    void messageWhenNothingIsAskedForHasTheTimeOfItsPublishingAndNoMore() throws Exception {
        Instant before = Instant.now().minusSeconds(1);

        AMQP.BasicProperties message = delivered("a", List.of());

        assertThat(message.getTimestamp().toInstant()).isBetween(before, Instant.now());
        assertThat(message.getType()).isNull();
        assertThat(message.getPriority()).isNull();
        assertThat(message.getExpiration()).isNull();
    }

    @Test
    void messagesWhenIdsAreOddCarryThem() throws Exception {
        List<String> ids = BadInput.oddIds().map(BadInput.Case::input).toList();
        ids.forEach(id -> scenario.schedule(id, "text/plain", Map.of(), "x"));

        RabbitScanTrigger trigger = start("last", List.of(), target);
        try {
            scenario.awaitEmpty(Duration.ofSeconds(20));
        } finally {
            trigger.destroy();
        }

        List<String> received = broker.drain(target).stream()
                .map(GetResponse::getProps)
                .map(message -> message.getMessageId() != null
                        ? message.getMessageId()
                        : message.getHeaders().get(RabbitHeaders.ID).toString())
                .toList();
        assertThat(received).hasSize(ids.size() + 1).containsAll(ids);
    }

    @Test
    void messageWhenItsTaskAsksForPropertiesHasThoseAndNotTheHeaders() throws Exception {
        scenario.schedule(
                "task",
                "text/plain",
                Map.of(
                        RabbitHeaders.PRIORITY,
                        "9",
                        RabbitHeaders.EXPIRATION,
                        "90000",
                        RabbitHeaders.TYPE,
                        "Urgent",
                        "tenant",
                        "blue"),
                "x");
        RabbitScanTrigger trigger = start("other", List.of(), target);
        try {
            scenario.awaitEmpty(Duration.ofSeconds(20));
        } finally {
            trigger.destroy();
        }

        Map<String, AMQP.BasicProperties> messages = new HashMap<>();
        broker.drain(target).forEach(message -> messages.put(message.getProps().getMessageId(), message.getProps()));
        AMQP.BasicProperties own = messages.get("task");
        assertThat(own.getPriority()).isEqualTo(9);
        assertThat(own.getExpiration()).isEqualTo("90000");
        assertThat(own.getType()).isEqualTo("Urgent");
        assertThat(own.getHeaders())
                .containsKey("tenant")
                .doesNotContainKeys(RabbitHeaders.PRIORITY, RabbitHeaders.EXPIRATION, RabbitHeaders.TYPE);
        assertThat(messages.get("other").getPriority()).isNull();
        assertThat(messages.get("other").getType()).isNull();
    }

    @Test
    void messageWhenItsTaskAsksForAPriorityThatCannotBeIsDeadAtOnce() {
        scenario.schedule("bad", "text/plain", Map.of(RabbitHeaders.PRIORITY, "256"), "x");
        RabbitScanTrigger trigger = start("good", List.of(), target);
        try {
            assertThat(scenario.awaitDead("bad")).isEqualTo("its header amqp_priority must be a number from 0 to 255");
        } finally {
            trigger.destroy();
        }
    }

    @Test
    void messageWhenCustomizersChangeItHasWhatTheySaidAndStillIdentifiesItsTask() throws Exception {
        RabbitMessageCustomizer first = (properties, delivery) -> {
            properties.setPriority(3);
            properties.setType("first");
            properties.setHeader("count", 42L);
            properties.setHeader("flags", List.of(true, false));
        };
        RabbitMessageCustomizer second = (properties, delivery) -> {
            properties.setType(properties.getType() + " of " + delivery.queue());
            properties.setExpiration("60000");
            properties.setContentType("text/csv");
            properties.setHeader(RabbitHeaders.FENCING_TOKEN, "forged");
            properties.setHeader("tenant", null);
            properties.setMessageId("forged");
            properties.setDeliveryMode(MessageDeliveryMode.NON_PERSISTENT);
        };

        AMQP.BasicProperties message = delivered("a", List.of(first, second));

        assertThat(message.getPriority()).isEqualTo(3);
        assertThat(message.getType()).isEqualTo("first of " + scenario.queue);
        assertThat(message.getExpiration()).isEqualTo("60000");
        assertThat(message.getContentType()).isEqualTo("text/csv");
        assertThat(message.getHeaders()).containsEntry("count", 42L).containsEntry("flags", List.of(true, false));
        assertThat(message.getHeaders().get("tenant")).isNull();
        assertThat(message.getMessageId()).isEqualTo("a");
        assertThat(message.getDeliveryMode()).isEqualTo(2);
        assertThat(message.getTimestamp()).isNotNull();
        assertThat((Long) message.getHeaders().get(RabbitHeaders.FENCING_TOKEN)).isPositive();
    }

    @Test
    void deliverWhenACustomizerThrowsForOneTaskFailsThatOneAlone() throws Exception {
        RabbitMessageCustomizer picky = (properties, delivery) -> {
            if (delivery.id().equals("bad")) {
                throw new IllegalStateException("secret");
            }
        };
        scenario.schedule("bad", "text/plain", Map.of(), "x");

        delivered("good", List.of(picky));

        assertThat(scenario.awaitDead("bad"))
                .isEqualTo("no message could be created: " + picky.getClass().getName()
                        + ".customize threw java.lang.IllegalStateException");
    }

    @Test
    void deliverWhenTheDriverCannotWriteTheHeadersOfOneTaskFailsThatOneAlone() throws Exception {
        RabbitMessageCustomizer careless = (properties, delivery) -> {
            if (delivery.id().equals("bad")) {
                properties.setHeader("counts", Collections.singletonMap(null, "one"));
            }
        };
        scenario.schedule("good-1", "text/plain", Map.of(), "x");
        scenario.schedule("bad", "text/plain", Map.of(), "x");
        RabbitScanTrigger trigger = start("good-2", List.of(careless), target);
        try {
            assertThat(scenario.awaitDead("bad"))
                    .isEqualTo("cannot be an AMQP message: java.lang.NullPointerException");
            scenario.awaitEmpty(Duration.ofSeconds(20));
        } finally {
            trigger.destroy();
        }

        assertThat(broker.drainCounts(target)).isEqualTo(Map.of("good-1", 1, "good-2", 1));
    }

    @Test
    void messageWhenACustomizerChangesReservedHeadersHasThoseOfTheTask() throws Exception {
        AMQP.BasicProperties message = delivered("a", List.of(FORGER));

        assertThat(message.getHeaders())
                .doesNotContainKeys(RabbitHeaders.ID, "DQ-extra")
                .containsKey(RabbitHeaders.TASK_KEY);
        assertThat(message.getHeaders().get(TaskHeaders.TYPE)).hasToString("order");
        assertThat(message.getHeaders().get("tenant")).hasToString("blue");
    }

    @Test
    void deliverWhenACustomizerForgesTheIdOfAnUnroutableTaskDoesNotAcknowledgeIt() {
        RabbitScanTrigger trigger = start("a", List.of(FORGER), "nowhere-" + target);
        try {
            assertThat(scenario.awaitDead("a")).contains("NO_ROUTE");
        } finally {
            trigger.destroy();
        }
    }

    private AMQP.BasicProperties delivered(String id, List<RabbitMessageCustomizer> customizers) throws Exception {
        RabbitScanTrigger trigger = start(id, customizers, target);
        try {
            scenario.awaitEmpty(Duration.ofSeconds(20));
        } finally {
            trigger.destroy();
        }
        return broker.drain(target).get(0).getProps();
    }

    private RabbitScanTrigger start(String id, List<RabbitMessageCustomizer> customizers, String routingKey) {
        scenario.schedule(id, "text/plain", Map.of("tenant", "blue", TaskHeaders.TYPE, "order"), "x");
        RabbitScanTrigger trigger = new RabbitScanTrigger(scenario.queue) {};
        trigger.setBeanFactory(scenario.beans(
                new TriggerExtensions(customizers, List.of()),
                new RabbitRoutes(Map.of(scenario.queue, new RabbitRoute(target, routingKey)))));
        trigger.start();
        return trigger;
    }
}
