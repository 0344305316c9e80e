// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.sample.Order.Status;
import io.delayqueue.test.AutoConfigureDelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ActiveProfiles;

/** The shop's payment window in time that the test moves: orders, outbox, queue and handler. */
@SpringBootTest(properties = {"shop.feed.enabled=false", "shop.payment-window=15m"})
@ActiveProfiles("brokerless")
@AutoConfigureDelayQueueTest(clock = true)
class OrderTimeoutIntegrationTests {

    private static final Duration WINDOW = Duration.ofMinutes(15);

    @Autowired
    private OrderService orders;

    @Autowired
    private OrderBook book;

    @Autowired
    private DelayQueueTestKit kit;

    @Test
    void orderWhenNobodyPaysIsClosedAfterAQuarterOfAnHour() {
        Order order = orders.place("a kettle");
        assertThat(kit.queue("orders")).hasTask(order.id()).dueIn(WINDOW).withPayload(new OrderTimeout(order.id()));
        kit.advance(WINDOW.minusMillis(1));
        assertThat(status(order)).isEqualTo(Status.OPEN);
        kit.advance(Duration.ofMillis(1));
        assertThat(status(order)).isEqualTo(Status.CLOSED);
    }

    @Test
    void orderWhenPaidHasNoTimeout() {
        Order order = orders.place("a kettle");
        kit.advance(WINDOW.dividedBy(2));
        orders.pay(order.id());
        assertThat(kit.queue("orders")).hasNoTasks();
        kit.advance(WINDOW);
        assertThat(status(order)).isEqualTo(Status.PAID);
    }

    @Test
    void orderWhenExtendedIsClosedLater() {
        Order order = orders.place("a kettle");
        kit.advance(WINDOW.minusSeconds(1));
        orders.extend(order.id(), Duration.ofHours(1));
        kit.advance(Duration.ofHours(1).minusMillis(1));
        assertThat(status(order)).isEqualTo(Status.OPEN);
        kit.advance(Duration.ofMillis(1));
        assertThat(status(order)).isEqualTo(Status.CLOSED);
    }

    private Status status(Order order) {
        return book.find(order.id()).orElseThrow().status();
    }
}
