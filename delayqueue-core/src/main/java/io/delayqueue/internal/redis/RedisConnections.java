// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.ClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
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
        RedisConfiguration servers = servers(application);
        LettuceClientConfiguration client = new Derived(
                application.getClientConfiguration(),
                servers instanceof ClusterConfiguration,
                commandTimeout,
                requestQueueSize);
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
        Field field =
                ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration", RedisConfiguration.class);
        if (field == null) {
            throw new IllegalStateException("This version of Spring Data Redis hides what its connection factory"
                    + " connects to; give the delay queues a LettuceConnectionFactory of their own");
        }
        ReflectionUtils.makeAccessible(field);
        RedisConfiguration servers =
                (RedisConfiguration) Objects.requireNonNull(ReflectionUtils.getField(field, application));
        if (servers instanceof StaticMasterReplicaConfiguration) {
            throw new IllegalArgumentException("A static master/replica configuration does not follow a failover;"
                    + " use Redis Sentinel, Redis Cluster or the master alone");
        }
        return servers;
    }

    private record Derived(
            LettuceClientConfiguration original, boolean cluster, Duration commandTimeout, int requestQueueSize)
            implements LettuceClientConfiguration {

        @Override
        public boolean isUseSsl() {
            return original.isUseSsl();
        }

        @Override
        @Deprecated
        public boolean isVerifyPeer() {
            return original.getVerifyMode() != SslVerifyMode.NONE;
        }

        @Override
        public SslVerifyMode getVerifyMode() {
            return original.getVerifyMode();
        }

        @Override
        public boolean isStartTls() {
            return original.isStartTls();
        }

        @Override
        public Optional<ClientResources> getClientResources() {
            return original.getClientResources();
        }

        @Override
        public Optional<ClientOptions> getClientOptions() {
            ClientOptions options = original.getClientOptions().orElseGet(ClientOptions::create);
            Duration connectTimeout = min(options.getSocketOptions().getConnectTimeout(), commandTimeout);
            SocketOptions.Builder socket = options.getSocketOptions().mutate().connectTimeout(connectTimeout);
            if (options.getSocketOptions().isEnableTcpUserTimeout()) {
                // mutate() of Lettuce 7.5 forgets it.
                socket.tcpUserTimeout(options.getSocketOptions().getTcpUserTimeout());
            }
            ClientOptions own = options.mutate()
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .autoReconnect(true)
                    .requestQueueSize(requestQueueSize)
                    .timeoutOptions(TimeoutOptions.enabled(commandTimeout))
                    .socketOptions(socket.build())
                    .build();
            return Optional.of(cluster ? ofCluster(own) : own);
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

        @Override
        public Optional<String> getClientName() {
            return original.getClientName().map(name -> name + "-delayqueue").or(() -> Optional.of("delayqueue"));
        }

        @Override
        public Optional<ReadFrom> getReadFrom() {
            return Optional.empty();
        }

        @Override
        public Optional<RedisCredentialsProviderFactory> getRedisCredentialsProviderFactory() {
            return original.getRedisCredentialsProviderFactory();
        }

        @Override
        public Duration getCommandTimeout() {
            return commandTimeout;
        }

        @Override
        public Duration getShutdownTimeout() {
            return original.getShutdownTimeout();
        }

        @Override
        public Duration getShutdownQuietPeriod() {
            return original.getShutdownQuietPeriod();
        }
    }
}
