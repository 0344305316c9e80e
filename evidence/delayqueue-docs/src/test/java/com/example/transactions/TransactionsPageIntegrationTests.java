// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.guide.GuidePages;
import io.delayqueue.test.AutoConfigureDelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import io.delayqueue.test.junit.DelayQueueServers;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.annotation.DirtiesContext;

/**
 * The code of docs/transactions.md does what the page says. Its listener ends with the class, as other tests read the
 * queue of that name on the shared broker.
 */
@DirtiesContext
@GuidePages({})
@SpringBootTest(
        properties = {
            "delayqueue.transactions=outbox",
            "delayqueue.queues.order-timeouts.rabbit.exchange=shop",
            "delayqueue.queues.order-timeouts.rabbit.routing-key=order.timeout",
            "delayqueue.queues.order-timeouts.rabbit.declare.exchange-type=direct",
            "delayqueue.queues.order-timeouts.rabbit.declare.queue=orders.timeout"
        })
@AutoConfigureDelayQueueTest(queues = {"orders", "fenced"})
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.EMBEDDED)
class TransactionsPageIntegrationTests {

    private static final Duration QUARTER = Duration.ofMinutes(15);

    @Autowired
    private DelayQueueTestKit kit;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private OrderRepository repository;

    @Autowired
    private Orders orders;

    @Autowired
    private Fenced fenced;

    @BeforeEach
    void noOrders() {
        jdbc.update("DELETE FROM orders");
    }

    @Test
    void orderWhenNobodyPaysIsClosedByTheMessageOfItsTimeout() {
        orders.place(new Order(1));
        assertThat(kit.queue("order-timeouts")).hasTask("order-1").dueIn(QUARTER);
        kit.advance(QUARTER);
        await().until(() -> repository.status(1).contains("CLOSED"));
    }

    @Test
    void orderWhenPaidHasNoTimer() {
        orders.place(new Order(2));
        orders.pay(2);
        assertThat(kit.queue("order-timeouts")).hasNoTask("order-2");
        assertThat(repository.status(2)).containsExactly("PAID");
    }

    @Test
    void orderWhenItsTaskIsHandledIsClosed() {
        repository.save(new Order(3));
        schedule("orders", 3);
        kit.advance(QUARTER);
        assertThat(repository.status(3)).containsExactly("CLOSED");
        assertThat(jdbc.queryForObject("SELECT count(*) FROM delayqueue_inbox", Long.class))
                .isPositive();
    }

    @Test
    void rowWhenWrittenByALaterDeliveryIsNotOverwritten() {
        repository.save(new Order(4));
        schedule("fenced", 4);
        kit.advance(QUARTER);
        jdbc.update("UPDATE orders SET fence = ? WHERE id = '4'", Long.MAX_VALUE);
        schedule("fenced", 4);
        kit.advance(QUARTER);
        assertThat(fenced.answers).containsExactly(true, false);
    }

    private void schedule(String queue, long order) {
        delayQueue.schedule(ScheduleRequest.to(queue)
                .id("order-" + order)
                .payload(new OrderTimeout(order))
                .dueIn(QUARTER)
                .build());
    }
}
