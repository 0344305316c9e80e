// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.autoconfigure.RedisOnlyIntegrationTests.Application;
import io.delayqueue.autoconfigure.RedisOnlyIntegrationTests.CollectingTrigger;
import io.delayqueue.autoconfigure.RedisOnlyIntegrationTests.Order;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.net.ServerSocket;
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
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Encrypted connections to Redis by an SSL bundle, and what they refuse. The server's certificate names localhost only. */
@ExtendWith(OutputCaptureExtension.class)
class RedisTlsIntegrationTests {

    private static Certificates client;
    private static Certificates other;
    private static Certificates server;
    private static RedisServer redis;
    private static int tlsPort;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"))
            .withUserConfiguration(Application.class)
            .withPropertyValues("spring.data.redis.ssl.bundle=redis", "delayqueue.queues.orders=");

    @BeforeAll
    static void startServer(@TempDir Path folder) throws Exception {
        client = Certificates.make(folder, "client", "DNS:client.test");
        other = Certificates.make(folder, "other", "DNS:localhost,IP:127.0.0.1");
        server = Certificates.make(folder, "server", "DNS:localhost");
        tlsPort = freePort();
        redis = InstalledRedis.start(
                "tls-port " + tlsPort,
                "tls-cert-file " + server.certificate(),
                "tls-key-file " + server.key(),
                "tls-ca-cert-file " + client.certificate(),
                "tls-auth-clients yes");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    private ApplicationContextRunner at(String host, int port, Certificates trusted, Certificates shown) {
        String[] user = redis.leastUri().getUserInfo().split(":");
        return runner.withPropertyValues(trusted.trustedBy(shown, "redis"))
                .withPropertyValues(
                        "spring.data.redis.host=" + host,
                        "spring.data.redis.port=" + port,
                        "spring.data.redis.username=" + user[0],
                        "spring.data.redis.password=" + user[1]);
    }

    @Test
    void aBundleWithTheServersAuthorityAndACertificateOfItsOwnDelivers() {
        at("localhost", tlsPort, server, client).run(context -> {
            assertThat(context).hasNotFailed();
            String id = context.getBean(DelayQueueOperations.class)
                    .schedule("orders", new Order(1), Duration.ofMillis(100));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(context.getBean(CollectingTrigger.class).delivered)
                            .containsExactly(id));
        });
    }

    /** Somebody to connect to, and what the log says of it. */
    record Peer(String what, String host, int port, Certificates trusted, Certificates shown, String reason) {

        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Peer> refused() {
        return Stream.of(
                new Peer(
                        "wrong authority",
                        "localhost",
                        tlsPort,
                        other,
                        client,
                        "unable to find valid certification path"),
                new Peer("wrong name", "127.0.0.1", tlsPort, server, client, "No subject alternative names"),
                new Peer("no TLS", "localhost", redis.port(), server, client, "timed out"),
                new Peer("unknown client", "localhost", tlsPort, server, other, "unknown_ca"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Peer peer, CapturedOutput output) {
        long before = keys();
        at(peer.host(), peer.port(), peer.trusted(), peer.shown()).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output.toString().lines())
                    .anyMatch(line -> line.contains("WARN")
                            && line.contains("Redis cannot be checked at start")
                            && line.contains(peer.reason()));
            DelayQueueOperations template = context.getBean(DelayQueueOperations.class);
            assertThatExceptionOfType(TaskStoreUnavailableException.class)
                    .isThrownBy(() -> template.schedule("orders", new Order(1), Duration.ofMillis(100)))
                    .satisfies(ex -> assertThat(ex.mayHaveBeenApplied()).isFalse());
        });
        assertThat(keys()).as("nothing came by another way").isEqualTo(before);
    }

    private static long keys() {
        try (RedisClient operator = RedisClient.create(RedisURI.create(redis.adminUri()))) {
            return operator.connect().sync().dbsize();
        }
    }
}
