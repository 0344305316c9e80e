// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.autoconfigure.TlsScene.Peer;
import io.delayqueue.rabbit.RabbitMessageCustomizer;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Encrypted connections to RabbitMQ by an SSL bundle, and what they refuse. The server's certificate names localhost
 * only.
 */
@ExtendWith(OutputCaptureExtension.class)
class RabbitTlsIntegrationTests {

    private static final String NAME = "tls";

    private static TlsScene tls;
    private static RedisServer redis;
    private static RabbitServer rabbit;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    RabbitAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withPropertyValues(
                    "spring.data.redis.url=" + redis.uri(),
                    "delayqueue.key-prefix=t" + System.nanoTime(),
                    "delayqueue.queues.orders.rabbit.exchange=" + NAME,
                    "delayqueue.queues.orders.rabbit.routing-key=" + NAME);

    @BeforeAll
    static void startServers(@TempDir Path folder) throws Exception {
        tls = TlsScene.make(folder);
        redis = RedisServer.embedded().start();
        rabbit = RabbitServer.installed()
                .config("listeners.ssl.1 = 127.0.0.1:" + tls.port())
                .config("ssl_options.cacertfile = " + tls.client().certificate())
                .config("ssl_options.certfile = " + tls.server().certificate())
                .config("ssl_options.keyfile = " + tls.server().key())
                .config("ssl_options.verify = verify_none")
                .config("ssl_options.fail_if_no_peer_cert = false")
                .start();
        operate(channel -> {
            channel.exchangeDeclare(NAME, "direct", true);
            channel.queueDeclare(NAME, true, false, false, null);
            return channel.queueBind(NAME, NAME, NAME);
        });
    }

    @AfterAll
    static void stopServers() {
        rabbit.close();
        redis.close();
    }

    private ApplicationContextRunner at(Peer peer) {
        return peer.reachedBy(runner, "spring.rabbitmq", rabbit.publisherUri().getUserInfo());
    }

    @Test
    void aBundleWithTheServersAuthorityDelivers() {
        at(tls.rightOne()).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", "hello", Duration.ZERO));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(takeAll()).isOne());
        });
    }

    @Test
    void aMessageOverWhichTheConnectionIsClosedIsTriedOnAnEncryptedOneToo() {
        RabbitMessageCustomizer unreadable = (properties, delivery) -> properties.setHeader("ratio", Double.NaN);
        at(tls.rightOne())
                .withBean(RabbitMessageCustomizer.class, () -> unreadable)
                .withPropertyValues("delayqueue.queues.orders.retry.max-retries=1")
                .run(context -> {
                    context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", "hello", Duration.ZERO));
                    await().atMost(Duration.ofSeconds(20))
                            .untilAsserted(() -> assertThat(context.getBean(DelayQueueAdmin.class)
                                            .stats("orders")
                                            .dead())
                                    .isOne());
                });
    }

    static Stream<Peer> refused() {
        return Stream.of(tls.withWrongAuthority(), tls.withWrongName(), tls.withoutTls(rabbit.port(), "SSL"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Peer peer, CapturedOutput output) {
        at(peer).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(DelayQueueOperations.class).schedule(requestTo("orders", "hello", Duration.ZERO));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(output.toString().lines())
                            .anyMatch(line -> line.contains("WARN")
                                    && line.contains("Cannot connect to RabbitMQ; delivery waits for a connection")
                                    && line.contains(peer.reason())));
            assertThat(context.getBean(DelayQueueAdmin.class).stats("orders").ready())
                    .as("tasks that wait")
                    .isOne();
        });
        long delivered = operate(channel -> channel.messageCount(NAME));
        assertThat(delivered).isZero();
    }

    private static int takeAll() throws Exception {
        return operate(channel -> channel.queuePurge(NAME).getMessageCount());
    }

    private static <T> T operate(Work<T> work) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(rabbit.uri());
            try (Connection connection = factory.newConnection()) {
                return work.on(connection.createChannel());
            }
        } catch (Exception ex) {
            throw new AssertionError(ex);
        }
    }

    /** Something done on a channel. */
    private interface Work<T> {

        T on(Channel channel) throws Exception;
    }
}
