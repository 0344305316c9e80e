// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.lang.reflect.Field;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
 * Derives a connection factory from the application's. It has the same servers, credentials and TLS. Its time-outs and
 * request queue are bounded, it does not replay commands of a broken connection (a script would run twice), and it never
 * reads from replicas.
 */
final class DerivedConnectionFactory {

    /** By default Lettuce pauses for up to 30 seconds. */
    private static final Duration LONGEST_RECONNECT_PAUSE = Duration.ofMillis(250);
    /** A cluster's topology is read anew after that, even if nothing hints at a change. */
    private static final Duration LONGEST_TOPOLOGY_AGE = Duration.ofSeconds(30);
    /** Between two looks at the topology while calls fail: a failover is noticed that soon after it happened. */
    private static final Duration REFRESH_PAUSE = Duration.ofMillis(500);

    private DerivedConnectionFactory() {}

    /**
     * Derives a factory that is not started. Who destroys it shuts its client resources down.
     *
     * @throws IllegalArgumentException if the application's factory has a static master/replica configuration
     * @see RedisConnections#derive
     */
    static LettuceConnectionFactory derive(
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
        return (servers instanceof RedisStandaloneConfiguration standalone)
                ? new LettuceConnectionFactory(standalone, client)
                : new LettuceConnectionFactory(servers, client);
    }

    /**
     * Returns client resources that share the threads of the application's, but never pause for long before they
     * reconnect.
     *
     * @param application the application's, or {@code null} for threads of their own
     */
    private static ClientResources resources(@Nullable ClientResources application) {
        ClientResources.Builder own = ClientResources.builder()
                .reconnectDelay(
                        () -> Delay.exponential(Duration.ZERO, LONGEST_RECONNECT_PAUSE, 2, TimeUnit.MILLISECONDS))
                .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled());
        if (application != null) {
            own.addressResolverGroup(application.addressResolverGroup())
                    .commandLatencyRecorder(application.commandLatencyRecorder())
                    .eventBus(application.eventBus())
                    .eventExecutorGroup(application.eventExecutorGroup())
                    .eventLoopGroupProvider(application.eventLoopGroupProvider())
                    .nettyCustomizer(application.nettyCustomizer())
                    .socketAddressResolver(application.socketAddressResolver())
                    .timer(application.timer())
                    .tracing(application.tracing());
        }
        return own.build();
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
                .shutdownQuietPeriod(original.getShutdownQuietPeriod())
                .clientResources(resources(original.getClientResources().orElse(null)));
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
                .suspendReconnectOnProtocolFailure(false)
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
