// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.guide.GuidePages;
import io.delayqueue.test.junit.DelayQueueServers;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@GuidePages("tutorial.md")
@SpringBootTest
@DelayQueueServers
class OrdersIntegrationTests {

    @Autowired
    private Orders orders;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Test
    void orderWhenNobodyPaysIsClosedWhenItsTimeIsUp() {
        String id = orders.place();
        assertThat(delayQueue.find("orders", id).orElseThrow().dueAt())
                .isAfter(Instant.now().plus(Duration.ofMinutes(14)));

        delayQueue.deliverNow("orders", id); // instead of a quarter of an hour's wait
        await().until(() -> orders.status(id) == Orders.Status.CLOSED);
    }

    @Test
    void orderWhenPaidHasNoTimer() {
        String id = orders.place();

        assertThat(orders.pay(id)).isTrue();
        assertThat(delayQueue.find("orders", id)).isEmpty();
        assertThat(orders.status(id)).isEqualTo(Orders.Status.PAID);
    }
}
