// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.guide.GuideTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;

@GuideTest
class FromRabbitIntegrationTests {

    @Autowired
    private OrderExpiry expiry;

    @Autowired
    private ExpiredOrders expired;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private RabbitTemplate rabbit;

    @Test
    void orderWhenItsTimeIsUpArrivesWhereTheOldMessagesDo() {
        expiry.placed("new");
        delayQueue.reschedule("order-expiry", "new", Due.now());
        rabbit.send(
                "",
                "orders.expired",
                MessageBuilder.withBody("{\"orderId\": \"old\"}".getBytes(StandardCharsets.UTF_8))
                        .setContentType("application/json")
                        .build());
        await().until(() -> expired.closed.contains("new") && expired.closed.contains("old"));
        assertThat(expired.taskKeys).hasSize(1);
    }

    @Test
    void orderWhenPaidIsCancelled() {
        expiry.placed("paid");
        assertThat(expiry.paid("paid")).isEqualTo(CancelOutcome.CANCELLED);
    }
}
