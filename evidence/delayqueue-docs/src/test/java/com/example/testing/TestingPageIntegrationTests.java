// SPDX-License-Identifier: Apache-2.0
package com.example.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.autoconfigure.DelayQueueRabbitAutoConfiguration;
import io.delayqueue.guide.GuidePages;
import io.delayqueue.test.AutoConfigureDelayQueueTest;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;

/** The tests that docs/testing.md shows. */
class TestingPageIntegrationTests {

    @Nested
    @GuidePages("tutorial.md")
    @DelayQueueTest({Orders.class, OrderTimeouts.class})
    class OrderTimeoutTests {

        @Test
        void orderWhenNobodyPaysIsClosedAfterAQuarterOfAnHour(
                @Autowired Orders orders, @Autowired DelayQueueTestKit kit) {
            orders.place("order-42");
            assertThat(kit.queue("orders")).hasTask("order-42").dueIn(Duration.ofMinutes(15));
            kit.advance(Duration.ofMinutes(15));
            assertThat(orders.find("order-42").isClosed()).isTrue();
        }
    }

    @Nested
    @GuidePages("tutorial.md")
    @DelayQueueTest({Orders.class, OrderTimeouts.class})
    class Failures {

        @Test
        void orderWhenItsTimeoutFailsTwiceIsClosedByTheThirdAttempt(
                @Autowired Orders orders, @Autowired DelayQueueTestKit kit) {
            orders.place("order-42");
            kit.failNext("orders", "order-42", 2);
            kit.advance(Duration.ofMinutes(15));
            assertThat(kit.queue("orders")).hasTask("order-42").withFailures(1);
            kit.advance(Duration.ofHours(1));
            assertThat(kit.queue("orders")).hasNoTasks().hasNoDeadTasks();
            assertThat(orders.find("order-42").isClosed()).isTrue();
        }
    }

    @Nested
    @GuidePages("tutorial.md")
    @SpringBootTest
    @AutoConfigureDelayQueueTest(clock = true)
    class ShopTests {

        @Test
        void orderWhenItsDueTimeIsComputedIsDueByTheSameClock(
                @Autowired Orders orders, @Autowired DelayQueueTestKit kit) {
            kit.advance(Duration.ofHours(8));
            orders.placeByTheClock("order-42");
            assertThat(kit.queue("orders")).hasTask("order-42").dueIn(Duration.ofMinutes(15));
        }
    }

    @Nested
    @GuidePages("../rabbitmq.md")
    @SpringBootTest(properties = "delayqueue.test.embedded.rabbit=true")
    @AutoConfigureDelayQueueTest
    class OrdersTests {

        @Test
        void timeoutWhenDueReachesTheBroker(
                @Autowired Orders orders, @Autowired RabbitTemplate rabbit, @Autowired DelayQueueTestKit kit) {
            orders.place("order-42");
            kit.advance(Duration.ofMinutes(15));
            assertThat(rabbit.receive("orders.timeout", 5_000)).isNotNull();
        }
    }

    @Nested
    @GuidePages("../rabbitmq.md")
    @DelayQueueTest(value = Orders.class, properties = "delayqueue.test.embedded.rabbit=true")
    @ImportAutoConfiguration({RabbitAutoConfiguration.class, DelayQueueRabbitAutoConfiguration.class})
    class OrdersSliceTests {

        @Test
        void timeoutWhenDueReachesTheBroker(
                @Autowired Orders orders, @Autowired RabbitTemplate rabbit, @Autowired DelayQueueTestKit kit) {
            orders.place("order-42");
            kit.advance(Duration.ofMinutes(15));
            assertThat(rabbit.receive("orders.timeout", 5_000)).isNotNull();
        }
    }
}
