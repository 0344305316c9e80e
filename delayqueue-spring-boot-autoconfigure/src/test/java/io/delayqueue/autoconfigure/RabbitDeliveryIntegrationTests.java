// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitScanTrigger;
import io.delayqueue.test.junit.DelayQueueServers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application as a user writes it, on a real Redis and a real RabbitMQ. */
@DelayQueueServers(rabbit = DelayQueueServers.Rabbit.REAL)
@SpringBootTest(
        properties = {
            "delayqueue.key-prefix=starter-it",
            "delayqueue.queues.orders.rabbit.exchange=starter-shop",
            "delayqueue.queues.orders.rabbit.routing-key=order.timeout",
            "delayqueue.queues.orders.rabbit.declare.exchange-type=direct",
            "delayqueue.queues.orders.rabbit.declare.queue=starter.orders.close",
            "delayqueue.queues.packed.codec=msgpack",
            "delayqueue.queues.packed.rabbit.exchange=starter-shop",
            "delayqueue.queues.packed.rabbit.declare.exchange-type=direct",
            "delayqueue.queues.packed.rabbit.declare.queue=starter.packed",
            "delayqueue.queues.mails.rabbit.exchange=starter-shop",
            "delayqueue.queues.mails.rabbit.declare.exchange-type=direct",
            "delayqueue.queues.mails.rabbit.declare.queue=starter.mails",
            "delayqueue.queues.mails.rabbit.declare.binding-key=mail.de",
            "delayqueue.queues.later=",
            "delayqueue.queues.doomed.retry.max-retries=0",
            "delayqueue.queues.doomed.rabbit.exchange=no-such-exchange",
            "delayqueue.queues.doomed.dead.exchange=starter-shop",
            "delayqueue.queues.doomed.dead.routing-key=mail.de",
            "spring.rabbitmq.listener.simple.missing-queues-fatal=false",
            "spring.rabbitmq.listener.simple.failed-declaration-retry-interval=500ms"
        })
class RabbitDeliveryIntegrationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Autowired
    DelayQueueOperations template;

    @Autowired
    DelayQueueAdmin admin;

    @Autowired
    Listeners listeners;

    @Test
    void aListenerGetsItsObjectFromAQueueThatIsConfiguredOnly() {
        String id = template.schedule(requestTo("orders", new OrderTimeout(4711, "unpaid"), Duration.ofMillis(300)))
                .id();
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(listeners.orders).contains(new Received(id, new OrderTimeout(4711, "unpaid"))));
        await().atMost(PATIENCE).until(() -> admin.stats("orders").leased() == 0);
        assertThat(admin.stats("orders").dead()).isZero();
    }

    @Test
    void aListenerGetsItsObjectWhateverTheCodec() {
        String id = template.schedule(requestTo("packed", new OrderTimeout(12, "packed"), Duration.ZERO))
                .id();
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(listeners.packed).contains(new Received(id, new OrderTimeout(12, "packed"))));
    }

    @Test
    void aTriggerOfTheApplicationRoutesAsItSays() {
        template.schedule(requestTo("mails", "Guten Tag", Duration.ZERO));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(listeners.mails).contains("Guten Tag"));
    }

    @Test
    void aDeadTaskIsMovedToTheExchangeForDeadOnes() {
        String id = template.schedule(requestTo("doomed", "could not be delivered", Duration.ZERO))
                .id();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(listeners.mails).contains("could not be delivered"));
        await().atMost(PATIENCE)
                .until(() -> template.find("doomed", id, String.class).isEmpty());
    }

    @Test
    void aQueueWithoutDestinationKeepsItsTasks() {
        String id =
                template.schedule(requestTo("later", "payload", Duration.ZERO)).id();
        assertThat(template.find("later", id, String.class)).isPresent();
    }

    record OrderTimeout(long number, String reason) {}

    record Received(String id, OrderTimeout timeout) {}

    static class Listeners {

        final List<Received> orders = new CopyOnWriteArrayList<>();
        final List<Received> packed = new CopyOnWriteArrayList<>();
        final List<String> mails = new CopyOnWriteArrayList<>();

        @RabbitListener(queues = "starter.orders.close")
        void onOrderTimeout(OrderTimeout timeout, Message message) {
            orders.add(new Received(message.getMessageProperties().getMessageId(), timeout));
        }

        @RabbitListener(queues = "starter.packed")
        void onPacked(OrderTimeout timeout, Message message) {
            packed.add(new Received(message.getMessageProperties().getMessageId(), timeout));
        }

        @RabbitListener(queues = "starter.mails")
        void onMail(String text) {
            mails.add(text);
        }
    }

    static class MailTrigger extends RabbitScanTrigger {

        MailTrigger() {
            super("mails");
        }

        @Override
        protected RabbitAddress address(Delivery delivery) {
            return new RabbitAddress("starter-shop", "mail.de");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Listeners listeners() {
            return new Listeners();
        }

        @Bean
        MailTrigger mailTrigger() {
            return new MailTrigger();
        }
    }
}
