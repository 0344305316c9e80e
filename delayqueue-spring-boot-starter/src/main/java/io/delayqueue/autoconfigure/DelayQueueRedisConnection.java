// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.internal.concurrent.WarmUp;
import io.delayqueue.internal.redis.RedisConnections;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Holds the library's own Redis connection factory, which is no bean itself: whoever injects a {@code
 * RedisConnectionFactory} gets the application's. It lives until the context is closed, so it outlives the stop of
 * every trigger. To keep tasks on other servers than the application's, declare a bean of this type:
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

    private final LettuceConnectionFactory factory;
    private final AtomicReference<@Nullable FutureTask<Void>> ahead = new AtomicReference<>();

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
        return derivedFrom(
                servers,
                PropertyValue.positive(new PropertyValue<>("delayqueue.redis.command-timeout", redis.commandTimeout())),
                PropertyValue.atLeastOne(
                        new PropertyValue<>("delayqueue.redis.request-queue-size", redis.requestQueueSize())));
    }

    static DelayQueueRedisConnection derivedFrom(
            RedisConnectionFactory application, Duration commandTimeout, int requestQueueSize) {
        return derivedFrom(application, commandTimeout, requestQueueSize, tls -> {});
    }

    /** The same, with certificates that are asked for at each connection. */
    static DelayQueueRedisConnection derivedFrom(
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
    void connectAhead() {
        FutureTask<Void> first = new FutureTask<>(() -> factory.getConnection().close(), null);
        if (ahead.compareAndSet(null, first) && !new WarmUp().run(first)) {
            ahead.set(null);
        }
    }

    /**
     * Waits for the connection that was begun ahead, if one was.
     *
     * @throws RuntimeException that it failed with; the factory itself tries anew with each call
     */
    void awaitConnected() {
        FutureTask<Void> first = ahead.get();
        if (first == null) {
            return;
        }
        try {
            first.get();
        } catch (ExecutionException ex) {
            throw (ex.getCause() instanceof RuntimeException failure)
                    ? failure
                    : new IllegalStateException(ex.getCause());
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while connecting to Redis", ex);
        }
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
