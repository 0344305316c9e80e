// SPDX-License-Identifier: Apache-2.0
package com.example.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.guide.GuidePages;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Runs the service and the listener that README.md shows. The tests of docs/rabbitmq.md run its trigger. */
@GuidePages("tutorial.md")
@DelayQueueTest({Orders.class, OrderTimeouts.class, OrderBook.class})
class ReadmeIntegrationTests {

    @Autowired
    private Orders orders;

    @Autowired
    private OrderBook book;

    @Autowired
    private DelayQueueTestKit kit;

    @Test
    void orderWhenExtendedIsClosedAtTheLaterTime() {
        Order order = new Order("order-42", "de");
        orders.placed(order);
        orders.extended(order);
        assertThat(kit.queue("orders")).hasTask("order-42").dueIn(Duration.ofMinutes(30));

        kit.advance(Duration.ofMinutes(15));
        assertThat(book.isClosed("order-42")).isFalse();
        kit.advance(Duration.ofMinutes(15));
        assertThat(book.isClosed("order-42")).isTrue();
    }

    @Test
    void orderWhenPaidIsNotClosed() {
        Order order = new Order("order-43", "de");
        orders.placed(order);
        orders.paid(order);

        assertThat(kit.queue("orders")).hasNoTask("order-43");
        kit.advance(Duration.ofMinutes(15));
        assertThat(book.isClosed("order-43")).isFalse();
    }
}
