// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.test.server.RedisServer;
import java.lang.reflect.Constructor;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** The servers of containers are used. The containers are none here, but their addresses lead to a real server. */
class ContainerRedisIntegrationTests {

    private static RedisServer redis;

    @BeforeAll
    static void startServer() {
        redis = RedisServer.embedded().start();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ServiceConnectionAutoConfiguration.class, DelayQueueAutoConfiguration.class))
            .withUserConfiguration(Containers.class)
            .withPropertyValues(
                    "delayqueue.queues.orders=", "delayqueue.redis.host=no-such-host.invalid", "port=" + redis.port());

    @Test
    void tasksGoToAContainerWithServiceConnectionWithoutSpringDataRedis() {
        assertKeeps(runner.withClassLoader(
                new FilteredClassLoader("org.springframework.data", "org.springframework.boot.data.redis")));
    }

    @Test
    void tasksGoToAContainerWithServiceConnectionBesideSpringDataRedis() {
        assertKeeps(runner.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class)));
    }

    private static void assertKeeps(ApplicationContextRunner application) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
            String id = operations
                    .schedule(requestTo("orders", "x", Duration.ofHours(1)))
                    .id();
            assertThat(operations.find("orders", id, String.class)).isPresent();
        });
    }

    @Test
    void aServiceOfDockerComposeIsRecognized() throws ReflectiveOperationException {
        ConnectionPorts ports = mock(ConnectionPorts.class);
        when(ports.get(6379)).thenReturn(32768);
        RunningService service = mock(RunningService.class);
        when(service.image()).thenReturn(ImageReference.of("redis:7"));
        when(service.host()).thenReturn("docker.example");
        when(service.ports()).thenReturn(ports);
        Constructor<DockerComposeConnectionSource> source =
                DockerComposeConnectionSource.class.getDeclaredConstructor(RunningService.class, Environment.class);
        source.setAccessible(true);

        ConnectionDetails details = new ConnectionDetailsFactories(null)
                .getConnectionDetails(source.newInstance(service, new MockEnvironment()), true)
                .get(DelayQueueRedisConnectionDetails.class);

        assertThat(details)
                .isInstanceOfSatisfying(
                        DelayQueueRedisConnectionDetails.class,
                        redisDetails -> assertThat(redisDetails.getNodes())
                                .containsExactly(new DelayQueueRedisConnectionDetails.Node("docker.example", 32768)));
    }

    @Configuration(proxyBeanMethods = false)
    static class Containers {

        @Bean
        @ServiceConnection(name = "redis")
        GenericContainer<?> redisContainer(Environment environment) {
            return new AddressOnly(environment.getRequiredProperty("port", Integer.class));
        }
    }

    /** A container that is never started. */
    private static final class AddressOnly extends GenericContainer<AddressOnly> {

        private final int port;

        AddressOnly(int port) {
            super(DockerImageName.parse("redis:7"));
            this.port = port;
        }

        @Override
        public void start() {
            // there is no Docker to start it
        }

        @Override
        public String getHost() {
            return "127.0.0.1";
        }

        @Override
        public Integer getMappedPort(int original) {
            assertThat(original).isEqualTo(6379);
            return port;
        }
    }
}
