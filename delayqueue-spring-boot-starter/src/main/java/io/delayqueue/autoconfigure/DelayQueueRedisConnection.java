// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.redis.RedisConnections;
import java.lang.reflect.Field;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Holds the library's own Redis connection factory, which is no bean itself: whoever injects a
 * {@code RedisConnectionFactory} gets the application's. It lives until the context is closed, so it outlives the stop of
 * every trigger. To connect to other servers than the application does, declare a bean of this type.
 */
public final class DelayQueueRedisConnection implements DisposableBean {

    private final LettuceConnectionFactory factory;

    /**
     * Takes over a factory: initializes it here and destroys it with this bean.
     *
     * @param factory with a bounded command time-out, and without replay of commands when a connection broke
     */
    public DelayQueueRedisConnection(LettuceConnectionFactory factory) {
        this.factory = factory;
        factory.afterPropertiesSet();
        factory.start();
    }

    /** Makes a connection to the servers of another factory, which must be Lettuce's. */
    static DelayQueueRedisConnection derivedFrom(
            RedisConnectionFactory application, Duration commandTimeout, int requestQueueSize) {
        if (!(application instanceof LettuceConnectionFactory lettuce)) {
            throw new InvalidDelayQueueSetupException(
                    "The application's RedisConnectionFactory is a "
                            + application.getClass().getName()
                            + ", but the delay queues work with Lettuce only.",
                    "Leave spring.data.redis.client-type at 'lettuce', or declare a bean of type"
                            + " DelayQueueRedisConnection that holds a LettuceConnectionFactory.");
        }
        if (configuration(lettuce) instanceof RedisConfiguration.StaticMasterReplicaConfiguration) {
            throw new InvalidDelayQueueSetupException(
                    "The application's LettuceConnectionFactory has a static master/replica configuration"
                            + " (spring.data.redis.masterreplica.nodes), which the delay queues cannot follow: it does not"
                            + " tell them a new master after a failover.",
                    "Use Redis Sentinel or Redis Cluster, or declare a bean of type DelayQueueRedisConnection that holds a"
                            + " LettuceConnectionFactory for the master.");
        }
        return new DelayQueueRedisConnection(RedisConnections.derive(lettuce, commandTimeout, requestQueueSize));
    }

    /** No getter tells a static master/replica configuration: they all answer as for {@code localhost:6379}. */
    private static @Nullable Object configuration(LettuceConnectionFactory lettuce) {
        Field field =
                ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration", RedisConfiguration.class);
        if (field == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, lettuce);
    }

    /** The factory, started. */
    public LettuceConnectionFactory factory() {
        return factory;
    }

    @Override
    public void destroy() {
        factory.destroy();
    }
}
