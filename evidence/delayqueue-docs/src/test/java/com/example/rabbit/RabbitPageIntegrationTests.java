// SPDX-License-Identifier: Apache-2.0
package com.example.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.consumer.PlainConsumer;
import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.test.junit.DelayQueueServers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Runs the code of docs/rabbitmq.md with a broker. */
class RabbitPageIntegrationTests {

    private static final int PATIENCE_MILLIS = 10_000;

    @Nested
    @SpringBootTest(
            classes = {Shop.class, Orders.class},
            properties = {
                "delayqueue.queues.orders.rabbit.exchange=shop",
                "delayqueue.queues.orders.rabbit.routing-key=order.timeout",
                "delayqueue.queues.orders.rabbit.declare.exchange-type=direct",
                "delayqueue.queues.orders.rabbit.declare.queue=orders.timeout"
            })
    @DelayQueueServers(rabbit = DelayQueueServers.Rabbit.EMBEDDED)
    class OneExchange {

        @Test
        void orderWhenItsTimeIsUpIsClosedUnlessItIsPaid(
                @Autowired Orders orders, @Autowired DelayQueueOperations delayQueue) {
            orders.placed(new Order("late", "de"));
            orders.extended(new Order("late", "de"));
            orders.placed(new Order("paid", "de"));
            orders.paid(new Order("paid", "de"));
            assertThat(delayQueue.cancel("orders", "paid")).isEqualTo(CancelOutcome.NOT_FOUND);
            delayQueue.reschedule("orders", "late", Due.now());
            await().atMost(Duration.ofMillis(PATIENCE_MILLIS)).until(() -> orders.closed.containsKey("late"));
        }
    }

    /** Both shops bind a queue to the exchange of each country. */
    abstract static class TwoExchanges {

        @Autowired
        private DelayQueueOperations delayQueue;

        @Autowired
        RabbitTemplate rabbit;

        @Test
        void taskWhenItIsDueGoesToTheExchangeOfItsCountry() {
            Orders orders = new Orders(delayQueue);
            for (String country : new String[] {"de", "fr"}) {
                orders.placed(new Order(country, country));
                delayQueue.reschedule("orders", country, Due.now());
                Message message = rabbit.receive("timeouts." + country, PATIENCE_MILLIS);
                assertThat(message).isNotNull();
                assertThat(message.getMessageProperties().getMessageId()).isEqualTo(country);
            }
        }
    }

    @Nested
    @SpringBootTest(
            classes = {Shop.class, Countries.class, OrderTimeoutTrigger.class},
            properties = "delayqueue.queues.orders=")
    @DelayQueueServers(rabbit = DelayQueueServers.Rabbit.EMBEDDED)
    class ByTrigger extends TwoExchanges {}

    @Nested
    @SpringBootTest(
            classes = {Shop.class, Countries.class, Routing.class},
            properties = "delayqueue.queues.orders=")
    @DelayQueueServers(rabbit = DelayQueueServers.Rabbit.EMBEDDED)
    class ByRouter extends TwoExchanges {}

    @Nested
    @SpringBootTest(
            classes = {Scanned.class, Countries.class, OrderTimeoutTrigger.class, OrderScan.class},
            properties = "delayqueue.queues.orders.trigger.auto-startup=false")
    @DelayQueueServers(rabbit = DelayQueueServers.Rabbit.EMBEDDED)
    class ByScheduler extends TwoExchanges {}

    @Nested
    @SpringBootTest(
            classes = Shop.class,
            properties = {
                "delayqueue.queues.orders.rabbit.exchange=",
                "delayqueue.queues.orders.rabbit.routing-key=orders.plain"
            })
    @DelayQueueServers(rabbit = DelayQueueServers.Rabbit.EMBEDDED)
    class ConsumerWithoutTheLibrary {

        @Test
        void listenerWhenItsApplicationHasTheConverterGetsItsOwnType(
                @Autowired DelayQueueOperations delayQueue, @Autowired RabbitConnectionDetails broker)
                throws Exception {
            SpringApplication application = new SpringApplication(PlainConsumer.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            application.setDefaultProperties(Map.of(
                    "spring.rabbitmq.host", broker.getFirstAddress().host(),
                    "spring.rabbitmq.port", broker.getFirstAddress().port(),
                    "spring.rabbitmq.username", broker.getUsername(),
                    "spring.rabbitmq.password", broker.getPassword()));
            application.setResourceLoader(new DefaultResourceLoader(new FilteredClassLoader("io.delayqueue")));
            try (ConfigurableApplicationContext consumer = application.run()) {
                delayQueue.schedule(ScheduleRequest.to("orders")
                        .payload(new OrderTimeout("late"))
                        .dueIn(Duration.ZERO)
                        .build());
                PlainConsumer plain = consumer.getBean(PlainConsumer.class);
                assertThat(plain.closed().poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                        .isEqualTo("late 22");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @Import(Shop.class)
    static class Scanned {}

    @Configuration(proxyBeanMethods = false)
    static class Countries {

        @Bean
        Declarables countries() {
            DirectExchange german = new DirectExchange("shop.de");
            DirectExchange french = new DirectExchange("shop.fr");
            Queue toGermany = new Queue("timeouts.de");
            Queue toFrance = new Queue("timeouts.fr");
            return new Declarables(
                    german,
                    french,
                    toGermany,
                    toFrance,
                    BindingBuilder.bind(toGermany).to(german).with("order.timeout"),
                    BindingBuilder.bind(toFrance).to(french).with("order.timeout"));
        }
    }
}
