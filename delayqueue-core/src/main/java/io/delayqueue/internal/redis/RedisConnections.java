// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.lang.reflect.Field;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.ClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceSslClientConfigurationBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Makes the library's own connection factory out of the application's: the same servers, credentials, TLS and client
 * resources, but with a bounded time-out and request queue, without replaying commands of a broken connection (a script
 * would run twice), and never reading from replicas.
 */
public final class RedisConnections {

    /** A cluster's topology is read anew after that, even if nothing hints at a change. */
    private static final Duration LONGEST_TOPOLOGY_AGE = Duration.ofSeconds(30);
    /** Between two looks at the topology while calls fail: a failover is noticed that soon after it happened. */
    private static final Duration REFRESH_PAUSE = Duration.ofMillis(500);

    private RedisConnections() {}

    /**
     * Derives a factory. The caller starts it with {@code afterPropertiesSet()} and ends it with {@code destroy()}.
     *
     * @param application the application's factory; left as it is
     * @param commandTimeout of each command, and the longest that connecting may take
     * @param requestQueueSize commands that may wait for an answer on one connection; one more is refused
     * @throws IllegalArgumentException if the application's factory has a static master/replica configuration
     */
    public static LettuceConnectionFactory derive(
            LettuceConnectionFactory application, Duration commandTimeout, int requestQueueSize) {
        return derive(application, commandTimeout, requestQueueSize, tls -> {});
    }

    /**
     * The same, of an application whose certificates may change.
     *
     * @param certificates called for each connection that is encrypted, to set those that are valid then
     */
    public static LettuceConnectionFactory derive(
            LettuceConnectionFactory application,
            Duration commandTimeout,
            int requestQueueSize,
            Consumer<SslContextBuilder> certificates) {
        RedisConfiguration servers = servers(application);
        LettuceClientConfiguration client = derive(
                application.getClientConfiguration(),
                servers instanceof ClusterConfiguration,
                commandTimeout,
                requestQueueSize,
                certificates);
        LettuceConnectionFactory own = (servers instanceof RedisStandaloneConfiguration standalone)
                ? new LettuceConnectionFactory(standalone, client)
                : new LettuceConnectionFactory(servers, client);
        own.setShareNativeConnection(true);
        own.setValidateConnection(false);
        return own;
    }

    /**
     * The configuration that the factory was made with. It has no getter: {@code getStandaloneConfiguration()} answers
     * {@code localhost} for a factory that was made from a static master/replica configuration or from a URI.
     */
    private static RedisConfiguration servers(LettuceConnectionFactory application) {
        Field field = serversField();
        ReflectionUtils.makeAccessible(field);
        RedisConfiguration servers =
                (RedisConfiguration) Objects.requireNonNull(ReflectionUtils.getField(field, application));
        if (servers instanceof StaticMasterReplicaConfiguration) {
            throw new IllegalArgumentException("A static master/replica configuration does not follow a failover;"
                    + " use Redis Sentinel, Redis Cluster or the master alone");
        }
        return servers;
    }

    static Field serversField() {
        Field field =
                ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration", RedisConfiguration.class);
        if (field == null) {
            throw new IllegalStateException("This version of Spring Data Redis hides what its connection factory"
                    + " connects to; give the delay queues a LettuceConnectionFactory of their own");
        }
        return field;
    }

    private static LettuceClientConfiguration derive(
            LettuceClientConfiguration original,
            boolean cluster,
            Duration commandTimeout,
            int requestQueueSize,
            Consumer<SslContextBuilder> certificates) {
        ClientOptions options = derive(
                original.getClientOptions().orElseGet(ClientOptions::create),
                commandTimeout,
                requestQueueSize,
                certificates);
        LettuceClientConfigurationBuilder own = LettuceClientConfiguration.builder()
                .clientOptions(cluster ? ofCluster(options) : options)
                .clientName(original.getClientName().map(name -> name + "-").orElse("") + "delayqueue")
                .commandTimeout(commandTimeout)
                .shutdownTimeout(original.getShutdownTimeout())
                .shutdownQuietPeriod(original.getShutdownQuietPeriod());
        original.getClientResources().ifPresent(own::clientResources);
        original.getRedisCredentialsProviderFactory().ifPresent(own::redisCredentialsProviderFactory);
        if (original.isUseSsl()) {
            LettuceSslClientConfigurationBuilder ssl = own.useSsl().verifyPeer(original.getVerifyMode());
            if (original.isStartTls()) {
                ssl.startTls();
            }
        }
        return own.build();
    }

    private static ClientOptions derive(
            ClientOptions original,
            Duration commandTimeout,
            int requestQueueSize,
            Consumer<SslContextBuilder> certificates) {
        SocketOptions socket = original.getSocketOptions();
        SocketOptions.Builder ownSocket =
                socket.mutate().connectTimeout(min(socket.getConnectTimeout(), commandTimeout));
        if (socket.isEnableTcpUserTimeout()) {
            // mutate() of Lettuce 7.5 forgets it.
            ownSocket.tcpUserTimeout(socket.getTcpUserTimeout());
        }
        return original.mutate()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .autoReconnect(true)
                .requestQueueSize(requestQueueSize)
                .timeoutOptions(TimeoutOptions.enabled(commandTimeout))
                .socketOptions(ownSocket.build())
                .sslOptions(new RenewedTls(original.getSslOptions(), certificates))
                .build();
    }

    /** Takes the application's TLS, with the certificates of the moment. */
    private static final class RenewedTls extends SslOptions {

        private final Consumer<SslContextBuilder> certificates;

        RenewedTls(SslOptions original, Consumer<SslContextBuilder> certificates) {
            super(original);
            this.certificates = certificates;
        }

        @Override
        public SslContextBuilder createSslContextBuilder() throws IOException, GeneralSecurityException {
            SslContextBuilder builder = super.createSslContextBuilder();
            certificates.accept(builder);
            return builder;
        }
    }

    /** Boot and plain options know nothing of clusters, and then Lettuce looks at the topology once, at the start. */
    private static ClusterClientOptions ofCluster(ClientOptions options) {
        ClusterClientOptions cluster = (options instanceof ClusterClientOptions given)
                ? given
                : ClusterClientOptions.builder(options).build();
        return cluster.mutate()
                .topologyRefreshOptions(refreshing(cluster.getTopologyRefreshOptions()))
                .build();
    }

    /** All adaptive triggers are on by default; what the application turned off is on again. */
    private static ClusterTopologyRefreshOptions refreshing(ClusterTopologyRefreshOptions original) {
        Duration period = original.isPeriodicRefreshEnabled() ? original.getRefreshPeriod() : LONGEST_TOPOLOGY_AGE;
        return ClusterTopologyRefreshOptions.builder()
                .enablePeriodicRefresh(min(period, LONGEST_TOPOLOGY_AGE))
                .adaptiveRefreshTriggersTimeout(min(original.getAdaptiveRefreshTimeout(), REFRESH_PAUSE))
                .refreshTriggersReconnectAttempts(1)
                .dynamicRefreshSources(original.useDynamicRefreshSources())
                .closeStaleConnections(original.isCloseStaleConnections())
                .build();
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
