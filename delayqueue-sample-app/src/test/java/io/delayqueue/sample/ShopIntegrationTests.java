// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.rabbit.RabbitHeaders;
import io.delayqueue.test.junit.DelayQueueServers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** The shop on a real Redis and a real RabbitMQ. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"shop.feed.enabled=false", "shop.payment-window=2s"})
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
class ShopIntegrationTests extends ShopContract {

    @Autowired
    private RabbitTemplate rabbit;

    @Autowired
    private OrderService service;

    @Autowired
    private OrderBook book;

    @Autowired
    private ShopCounters counters;

    @Test
    void timeoutWhenTheBrokerHasItTwiceClosesOnce() {
        Order order = service.place("a kettle");
        long closed = counters.closedSoFar();
        long duplicates = counters.duplicatesSoFar();
        Message message = MessageBuilder.withBody(
                        ("{\"orderId\":\"" + order.id() + "\"}").getBytes(StandardCharsets.UTF_8))
                .setContentType("application/json")
                .setHeader(RabbitHeaders.QUEUE, OrderService.QUEUE)
                .setHeader(RabbitHeaders.TASK_KEY, order.id().replace("-", "").substring(0, 22))
                .setHeader(RabbitHeaders.DUE_AT, order.payBefore().toEpochMilli())
                .setHeader(RabbitHeaders.FENCING_TOKEN, 1L)
                .build();
        rabbit.send("shop", "order.timeout", message);
        rabbit.send("shop", "order.timeout", message);
        await().atMost(Duration.ofSeconds(10)).until(() -> counters.duplicatesSoFar() == duplicates + 1);
        assertThat(counters.closedSoFar()).isEqualTo(closed + 1);
        assertThat(book.find(order.id()).orElseThrow().status()).isEqualTo(Order.Status.CLOSED);
    }
}
