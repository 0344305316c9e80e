// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static io.delayqueue.guide.ServersLeftAloneIntegrationTests.Server.BROKER;
import static io.delayqueue.guide.ServersLeftAloneIntegrationTests.Server.DATABASE;
import static io.delayqueue.guide.ServersLeftAloneIntegrationTests.Server.REDIS;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.autoconfigure.DelayQueueRabbitAutoConfiguration;
import io.delayqueue.test.AutoConfigureDelayQueueTest;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A test with the kit calls no server that the application's properties name, because it may be a real one. */
class ServersLeftAloneIntegrationTests {

    /** A server that must not be called. It counts connections and closes them. */
    enum Server {
        REDIS,
        BROKER,
        DATABASE;

        private final AtomicInteger calls = new AtomicInteger();
        private final ServerSocket socket;

        Server() {
            try {
                socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
            Thread accepting = new Thread(this::accept, "must-not-be-called-" + name());
            accepting.setDaemon(true);
            accepting.start();
        }

        private void accept() {
            while (!socket.isClosed()) {
                try {
                    socket.accept().close();
                    calls.incrementAndGet();
                } catch (IOException ex) {
                    return;
                }
            }
        }

        int port() {
            return socket.getLocalPort();
        }
    }

    @DynamicPropertySource
    static void nameServers(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.port", REDIS::port);
        properties.add("delayqueue.redis.port", REDIS::port);
        properties.add("spring.rabbitmq.port", BROKER::port);
        properties.add("spring.datasource.url", () -> "jdbc:postgresql://127.0.0.1:" + DATABASE.port() + "/shop");
        properties.add("delayqueue.queues.mails.rabbit.exchange", () -> "shop");
        properties.add("delayqueue.queues.mails.rabbit.declare.queue", () -> "mails");
        properties.add("delayqueue.queues.mails.rabbit.declare.exchange-type", () -> "direct");
        properties.add("delayqueue.queues.mails.dead.exchange", () -> "dead");
    }

    @AfterAll
    static void stopServers() throws IOException {
        for (Server server : Server.values()) {
            server.socket.close();
        }
    }

    private static void assertLeftAlone(DelayQueueOperations tasks, DelayQueueTestKit kit) {
        for (String queue : List.of("orders", "mails")) {
            tasks.schedule(ScheduleRequest.to(queue)
                    .id("7")
                    .payload("x")
                    .dueIn(Duration.ofMinutes(1))
                    .build());
        }
        kit.advance(Duration.ofMinutes(2));
        assertThat(kit.queue("orders")).hasNoTasks();
        assertThat(kit.queue("mails")).hasTask("7");
        assertThat(Server.values())
                .allSatisfy(server ->
                        assertThat(server.calls).as("calls of %s", server).hasValue(0));
    }

    @Nested
    @DelayQueueTest(Orders.class)
    @ContextConfiguration(classes = Shop.class)
    class Slice {

        @Test
        void callsNoConfiguredServer(@Autowired DelayQueueOperations tasks, @Autowired DelayQueueTestKit kit) {
            assertLeftAlone(tasks, kit);
        }
    }

    @Nested
    @DelayQueueTest(Orders.class)
    @ContextConfiguration(classes = Shop.class)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        RabbitAutoConfiguration.class,
        DelayQueueRabbitAutoConfiguration.class
    })
    class SliceWithDatabaseAndRabbit {

        @Test
        void callsNoConfiguredServer(@Autowired DelayQueueOperations tasks, @Autowired DelayQueueTestKit kit) {
            assertLeftAlone(tasks, kit);
        }
    }

    @Nested
    @SpringBootTest(classes = {Shop.class, Orders.class})
    @AutoConfigureDelayQueueTest
    class WholeApplication {

        @Test
        void callsNoConfiguredServer(@Autowired DelayQueueOperations tasks, @Autowired DelayQueueTestKit kit) {
            assertLeftAlone(tasks, kit);
        }
    }

    @Nested
    @SpringBootTest(classes = {Shop.class, Orders.class})
    @AutoConfigureDelayQueueTest(clock = true, reset = false)
    class WholeApplicationWithAClock {

        @Test
        void callsNoConfiguredServer(@Autowired DelayQueueOperations tasks, @Autowired DelayQueueTestKit kit) {
            assertLeftAlone(tasks, kit);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    static class Orders {

        @DelayQueueListener(queue = "orders")
        void on(String order) {}
    }
}
