// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.autoconfigure.RedisOnlyIntegrationTests.Application;
import io.delayqueue.autoconfigure.RedisOnlyIntegrationTests.CollectingTrigger;
import io.delayqueue.autoconfigure.RedisOnlyIntegrationTests.Order;
import io.delayqueue.autoconfigure.TlsScene.Peer;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
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
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Encrypted connections to Redis by an SSL bundle, and what they refuse. The server's certificate names localhost only.
 */
@ExtendWith(OutputCaptureExtension.class)
class RedisTlsIntegrationTests {

    private static TlsScene tls;
    private static RedisServer redis;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SslAutoConfiguration.class,
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class,
                    DelayQueueRabbitAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"))
            .withUserConfiguration(Application.class)
            .withPropertyValues("delayqueue.queues.orders=");

    @BeforeAll
    static void startServer(@TempDir Path folder) throws Exception {
        tls = TlsScene.make(folder);
        redis = InstalledRedis.start(
                "tls-port " + tls.port(),
                "tls-cert-file " + tls.server().certificate(),
                "tls-key-file " + tls.server().key(),
                "tls-ca-cert-file " + tls.client().certificate(),
                "tls-auth-clients yes");
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    private ApplicationContextRunner at(Peer peer) {
        return peer.reachedBy(runner, "spring.data.redis", redis.leastUri().getUserInfo());
    }

    @Test
    void aBundleWithTheServersAuthorityAndACertificateOfItsOwnDelivers() {
        at(tls.rightOne()).run(context -> {
            assertThat(context).hasNotFailed();
            String id = context.getBean(DelayQueueOperations.class)
                    .schedule(requestTo("orders", new Order(1), Duration.ofMillis(100)))
                    .id();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(context.getBean(CollectingTrigger.class).delivered)
                            .containsExactly(id));
        });
    }

    @Test
    void aBundleThatIsReloadedIsUsedForTheNextConnection() {
        assertFollowsReload(at(tls.withWrongAuthority()));
    }

    @Test
    void aBundleThatIsReloadedIsUsedAlsoBesideASecondConnectionFactory() {
        assertFollowsReload(at(tls.withWrongAuthority())
                .withBean(
                        "second",
                        LettuceConnectionFactory.class,
                        () -> new LettuceConnectionFactory("127.0.0.1", 1),
                        definition -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false)));
    }

    private static void assertFollowsReload(ApplicationContextRunner application) {
        application.run(context -> {
            DelayQueueOperations template = context.getBean(DelayQueueOperations.class);
            assertThatThrownBy(() -> template.schedule(requestTo("orders", new Order(1), Duration.ZERO))
                            .id())
                    .isInstanceOf(TaskStoreUnavailableException.class);
            context.getBean(SslBundleRegistry.class)
                    .updateBundle("tls", tls.rightOne().bundle());
            String id = await().atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .until(
                            () -> template.schedule(requestTo("orders", new Order(1), Duration.ZERO))
                                    .id(),
                            scheduled -> true);
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(context.getBean(CollectingTrigger.class).delivered)
                            .contains(id));
        });
    }

    static Stream<Peer> refused() {
        return Stream.of(
                tls.withWrongAuthority(),
                tls.withWrongName(),
                tls.withoutTls(redis.port(), "timed out"),
                tls.asUnknownClient("unknown_ca"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Peer peer, CapturedOutput output) {
        long before = keys();
        at(peer).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output.toString().lines())
                    .anyMatch(line -> line.contains("WARN")
                            && line.contains("Redis could not be checked at startup")
                            && line.contains(peer.reason()));
            DelayQueueOperations template = context.getBean(DelayQueueOperations.class);
            assertThatThrownBy(() -> template.schedule(requestTo("orders", new Order(1), Duration.ofMillis(100)))
                            .id())
                    .isInstanceOfAny(errors(peer));
        });
        assertThat(keys()).as("nothing came by another way").isEqualTo(before);
    }

    /** With TLS 1.3 a client learns of its rejection only after it may have sent its first call. */
    private static Class<?>[] errors(Peer peer) {
        return peer.isRefusedByServer()
                ? new Class<?>[] {TaskStoreUnavailableException.class, TaskStoreTimeoutException.class}
                : new Class<?>[] {TaskStoreUnavailableException.class};
    }

    private static long keys() {
        try (RedisClient operator = RedisClient.create(RedisURI.create(redis.adminUri()))) {
            return operator.connect().sync().dbsize();
        }
    }
}
