// SPDX-License-Identifier: Apache-2.0
package com.example.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TransactionMode;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.guide.GuidePages;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** The slice with an outbox that docs/testing.md shows. */
class OutboxSliceIntegrationTests {

    @Nested
    @GuidePages("tutorial.md")
    @DelayQueueTest({Orders.class, OrderTimeouts.class})
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        TransactionAutoConfiguration.class
    })
    class OrderTimeoutTests {

        @Test
        void orderWhenItsTransactionHasCommittedIsClosedAtItsTime(
                @Autowired Orders orders, @Autowired DelayQueueTestKit kit) {
            orders.place("order-42");
            assertThat(kit.queue("orders")).hasTask("order-42").dueIn(Duration.ofMinutes(15));
            kit.advance(Duration.ofMinutes(15));
            assertThat(orders.isClosed("order-42")).isTrue();
        }

        @Test
        void orderWhenItsTransactionRollsBackHasNoTimer(
                @Autowired Orders orders,
                @Autowired TransactionTemplate transaction,
                @Autowired DelayQueueTestKit kit) {
            transaction.executeWithoutResult(status -> {
                orders.place("order-43");
                status.setRollbackOnly();
            });
            assertThat(kit.queue("orders")).hasNoTask("order-43");
        }
    }

    static class Orders {

        private final Set<String> closed = ConcurrentHashMap.newKeySet();
        private final DelayQueueOperations delayQueue;

        Orders(DelayQueueOperations delayQueue) {
            this.delayQueue = delayQueue.inTransaction(TransactionMode.OUTBOX);
        }

        @Transactional
        public void place(String id) {
            delayQueue.schedule(ScheduleRequest.to("orders")
                    .id(id)
                    .payload(new OrderTimeout(id))
                    .dueIn(Duration.ofMinutes(15))
                    .build());
        }

        public void close(String id) {
            closed.add(id);
        }

        public boolean isClosed(String id) {
            return closed.contains(id);
        }
    }

    static class OrderTimeouts {

        private final Orders orders;

        OrderTimeouts(Orders orders) {
            this.orders = orders;
        }

        @DelayQueueListener(queue = "orders")
        void timeIsUp(OrderTimeout timeout) {
            orders.close(timeout.orderId());
        }
    }
}
