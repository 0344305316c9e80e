// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.redis.RedisConnections;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import java.util.function.Consumer;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Holds the library's own Redis connections. Their factory is no bean itself: an injected {@code RedisConnectionFactory} is
 * the application's. They live until the context is closed, so they outlive the stop of every trigger. To keep tasks on
 * servers other than the application's, declare a bean of this type:
 *
 * <pre>{@code
 * @Bean
 * DelayQueueRedisConnection delayQueueRedis(DelayQueueProperties properties) {
 *     var servers = new LettuceConnectionFactory(new RedisStandaloneConfiguration("timers.example", 6379));
 *     return DelayQueueRedisConnection.derivedFrom(servers, properties);
 * }
 * }</pre>
 */
public final class DelayQueueRedisConnection implements DisposableBean {

    private final RedisConnections connections;

    private DelayQueueRedisConnection(RedisConnections connections) {
        this.connections = connections;
    }

    /**
     * Makes a connection to the servers of a factory, with its credentials, TLS and client resources, and otherwise as
     * the library needs it: time-outs and the length of the request queue are those of {@code delayqueue.redis}, no
     * command of a broken connection is replayed, and replicas are not read from.
     *
     * @param servers what {@link LettuceConnectionFactory} connects to: one server, Sentinels or a cluster. It is left as
     *     it is, need not have been started, and need not be a bean. A second bean of this type beside Spring Boot's
     *     is to be declared with {@code defaultCandidate = false}
     * @throws io.delayqueue.DelayQueueException if it is not Lettuce's, or has a static master/replica configuration, or
     *     if a property is out of bounds; the application does not start and says why
     */
    public static DelayQueueRedisConnection derivedFrom(
            RedisConnectionFactory servers, DelayQueueProperties properties) {
        DelayQueueProperties.Redis redis = properties.redis();
        return derivedFrom(servers, redis.commandTimeout(), redis.requestQueueSize());
    }

    public static DelayQueueRedisConnection derivedFrom(
            RedisConnectionFactory application, Duration commandTimeout, int requestQueueSize) {
        return derivedFrom(application, commandTimeout, requestQueueSize, tls -> {});
    }

    /** The same, with certificates that are asked for at each connection. */
    public static DelayQueueRedisConnection derivedFrom(
            RedisConnectionFactory application,
            Duration commandTimeout,
            int requestQueueSize,
            Consumer<SslContextBuilder> certificates) {
        if (!(application instanceof LettuceConnectionFactory lettuce)) {
            throw new InvalidDelayQueueSetupException(
                    "The application's RedisConnectionFactory is a "
                            + application.getClass().getName()
                            + ", but the delay queues work with Lettuce only.",
                    "Leave spring.data.redis.client-type at 'lettuce', or declare a bean of type"
                            + " DelayQueueRedisConnection that holds a LettuceConnectionFactory.");
        }
        try {
            return new DelayQueueRedisConnection(
                    RedisConnections.derive(lettuce, commandTimeout, requestQueueSize, certificates));
        } catch (IllegalArgumentException ex) {
            throw new InvalidDelayQueueSetupException(
                    "The application's LettuceConnectionFactory has a static master/replica configuration"
                            + " (spring.data.redis.masterreplica.nodes), which the delay queues cannot use: it does not"
                            + " follow a failover.",
                    "Use Redis Sentinel or Redis Cluster, or declare a bean of type DelayQueueRedisConnection that holds a"
                            + " LettuceConnectionFactory for the master.");
        }
    }

    /** Begins to connect, beside the rest of the start, which has enough to do until Redis is asked for the first time. */
    public void connectAhead() {
        connections.commands();
    }

    public RedisConnections connections() {
        return connections;
    }

    /** The factory, started; it names the servers and opens a new connection for each that it lends. */
    public LettuceConnectionFactory factory() {
        return connections.factory();
    }

    @Override
    public void destroy() {
        connections.close();
    }
}
