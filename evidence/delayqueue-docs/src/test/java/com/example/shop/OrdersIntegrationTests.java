// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.guide.GuidePages;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@GuidePages("tutorial.md")
@DelayQueueTest(Orders.class)
class OrdersIntegrationTests {

    @Autowired
    private Orders orders;

    @Autowired
    private DelayQueueTestKit kit;

    @Test
    void orderWhenNobodyPaysIsClosedAfterAQuarterOfAnHour() {
        String id = orders.place();
        assertThat(kit.queue("orders")).hasTask(id).dueIn(Duration.ofMinutes(15));

        kit.advance(Duration.ofMinutes(15));
        assertThat(orders.status(id)).isEqualTo(Orders.Status.CLOSED);
    }

    @Test
    void orderWhenPaidHasNoTimer() {
        String id = orders.place();
        assertThat(orders.pay(id)).isTrue();

        assertThat(kit.queue("orders")).hasNoTask(id);
        kit.advance(Duration.ofMinutes(15));
        assertThat(orders.status(id)).isEqualTo(Orders.Status.PAID);
    }
}
