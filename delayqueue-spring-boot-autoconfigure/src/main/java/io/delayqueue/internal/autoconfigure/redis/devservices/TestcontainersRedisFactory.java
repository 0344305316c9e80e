// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.devservices;

import io.delayqueue.autoconfigure.DelayQueueRedisConnectionDetails;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.testcontainers.containers.Container;

/** Creates connection details for a container with {@code @ServiceConnection} whose image or name is that of Redis. */
final class TestcontainersRedisFactory
        extends ContainerConnectionDetailsFactory<Container<?>, DelayQueueRedisConnectionDetails> {

    private static final int PORT = 6379;

    TestcontainersRedisFactory() {
        super(List.of("redis", "redis/redis-stack", "redis/redis-stack-server", "valkey/valkey"));
    }

    @Override
    protected boolean sourceAccepts(
            ContainerConnectionSource<Container<?>> source, Class<?> requiredContainer, Class<?> requiredDetails) {
        return super.sourceAccepts(source, requiredContainer, requiredDetails)
                || source.accepts(ANY_CONNECTION_NAME, redisContainer(), requiredDetails);
    }

    /** The class from {@code com.redis:testcontainers-redis}, which supports images with any name. */
    private static Class<?> redisContainer() {
        try {
            return Class.forName("com.redis.testcontainers.AbstractRedisContainer");
        } catch (ClassNotFoundException ex) {
            return Nothing.class;
        }
    }

    /** Stands in for a container class that is not on the class path. No container has this type. */
    private interface Nothing {}

    @Override
    protected DelayQueueRedisConnectionDetails getContainerConnectionDetails(
            ContainerConnectionSource<Container<?>> source) {
        return new Details(source);
    }

    private static final class Details extends ContainerConnectionDetails<Container<?>>
            implements DelayQueueRedisConnectionDetails {

        Details(ContainerConnectionSource<Container<?>> source) {
            super(source);
        }

        @Override
        public List<Node> getNodes() {
            return List.of(new Node(getContainer().getHost(), getContainer().getMappedPort(PORT)));
        }

        @Override
        public @Nullable SslBundle getSslBundle() {
            return super.getSslBundle();
        }
    }
}
