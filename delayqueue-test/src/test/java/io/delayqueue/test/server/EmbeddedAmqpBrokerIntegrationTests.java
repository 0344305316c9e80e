// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.qpid.server.SystemLauncher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.ReturnedMessage;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

class EmbeddedAmqpBrokerIntegrationTests {

    private static final EmbeddedAmqpBroker BROKER = new EmbeddedAmqpBroker();

    private CachingConnectionFactory connections;
    private RabbitTemplate template;

    @BeforeAll
    static void start() {
        BROKER.start();
    }

    @AfterAll
    static void stop() {
        BROKER.close();
    }

    @BeforeEach
    void connect() {
        connections = new CachingConnectionFactory(BROKER.uri());
        connections.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.CORRELATED);
        connections.setPublisherReturns(true);
        template = new RabbitTemplate(connections);
        template.setMandatory(true);
        new RabbitAdmin(connections).declareQueue(new Queue("orders"));
    }

    @AfterEach
    void disconnect() {
        connections.destroy();
    }

    @Test
    void publishToAQueueIsConfirmedAndArrives() throws Exception {
        CorrelationData correlation = new CorrelationData("1");

        template.convertAndSend("", "orders", "hello", correlation);

        assertThat(correlation.getFuture().get(5, TimeUnit.SECONDS).ack()).isTrue();
        assertThat(correlation.getReturned()).isNull();
        assertThat(template.receiveAndConvert("orders", 5000)).isEqualTo("hello");
    }

    @Test
    void publishOfAnUnroutableMandatoryMessageIsReturned() throws Exception {
        CorrelationData correlation = new CorrelationData("2");
        AtomicReference<ReturnedMessage> returned = new AtomicReference<>();
        template.setReturnsCallback(returned::set);

        template.convertAndSend("", "nowhere", "hello", correlation);

        // RabbitMQ returns first and then acks; this broker nacks first and then returns
        assertThat(correlation.getFuture().get(5, TimeUnit.SECONDS).ack()).isFalse();
        await().untilAsserted(() -> assertThat(returned.get()).isNotNull());
        assertThat(returned.get().getRoutingKey()).isEqualTo("nowhere");
    }

    @Test
    void publishOfAnUnroutableMessageKeepsTheConnection() throws Exception {
        template.setMandatory(false);
        CorrelationData first = new CorrelationData("3");
        CorrelationData second = new CorrelationData("4");

        template.convertAndSend("", "nowhere", "hello", first);
        template.convertAndSend("", "orders", "still here", second);

        assertThat(first.getFuture().get(5, TimeUnit.SECONDS)).isNotNull();
        assertThat(second.getFuture().get(5, TimeUnit.SECONDS).ack()).isTrue();
        assertThat(template.receiveAndConvert("orders", 5000)).isEqualTo("still here");
    }

    @Test
    void startAfterStopComesBackOnItsPortAndEmpty() {
        try (EmbeddedAmqpBroker broker = new EmbeddedAmqpBroker()) {
            broker.start();
            int port = broker.port();

            broker.stop();

            assertThat(broker.isRunning()).isFalse();
            assertThat(new AmqpPing(broker.uri()).isReady()).isFalse();
            broker.start();
            assertThat(broker.port()).isEqualTo(port);
            assertThat(new AmqpPing(broker.uri()).isReady()).isTrue();
        }
    }

    @Test
    void startWhenAJarIsMissingNamesTheDependencyToAdd() {
        assertThatExceptionOfType(TestServerException.class)
                .isThrownBy(() -> EmbeddedAmqpBroker.requireJars(Map.of(
                        "no.such.SystemLauncher", "org.apache.qpid:qpid-broker-core:1", "java.lang.String", "jdk")))
                .withMessageContaining("Add [org.apache.qpid:qpid-broker-core:1] in test scope");
    }

    @Test
    void versionThatTheErrorNamesIsTheOneThatIsTested() {
        assertThat(EmbeddedAmqpBroker.QPID_VERSION)
                .isEqualTo(SystemLauncher.class.getPackage().getImplementationVersion());
    }

    @Test
    void endOfTheJvmLeavesTheBrokerToWhatHasStartedIt() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Ending.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(output.lines()).contains(Ending.STILL_CONNECTED);
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Ends with a broker and a connection to it; looks for a second at how the connection does. */
    static final class Ending {

        static final String STILL_CONNECTED = "still connected";

        public static void main(String[] args) {
            int status = 1;
            try {
                watch(new EmbeddedAmqpBroker());
                status = 0;
            } catch (Exception ex) {
                ex.printStackTrace();
            } finally {
                // the broker's threads would keep this JVM, and who reads its output, for ever
                System.exit(status);
            }
        }

        private static void watch(EmbeddedAmqpBroker broker) throws Exception {
            broker.start();
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(broker.uri());
            CountDownLatch lost = new CountDownLatch(1);
            factory.newConnection().addShutdownListener(cause -> lost.countDown());
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                System.out.println(isWithinASecond(lost) ? "lost" : STILL_CONNECTED);
                broker.close();
            }));
        }

        private static boolean isWithinASecond(CountDownLatch latch) {
            try {
                return latch.await(1, TimeUnit.SECONDS);
            } catch (InterruptedException ex) {
                return true;
            }
        }
    }
}
