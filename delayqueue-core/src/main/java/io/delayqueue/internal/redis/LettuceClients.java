// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes Lettuce clients as the library needs them. Their time-outs and request queue are bounded, they do not replay
 * commands of a broken connection (a script would run twice), never read from replicas, and are not instrumented.
 */
final class LettuceClients {

    /** By default Lettuce pauses for up to 30 seconds. */
    private static final Duration LONGEST_RECONNECT_PAUSE = Duration.ofMillis(250);
    /** A cluster's topology is read anew after that, even if nothing hints at a change. */
    private static final Duration LONGEST_TOPOLOGY_AGE = Duration.ofSeconds(30);
    /** Between two looks at the topology while calls fail: a failover is noticed that soon after it happened. */
    private static final Duration REFRESH_PAUSE = Duration.ofMillis(500);

    private LettuceClients() {}

    /** Makes a client that is not connected. */
    static AbstractRedisClient of(
            RedisTarget target, Duration commandTimeout, int requestQueueSize, ClientResources resources) {
        target.addresses().forEach(uri -> {
            uri.setTimeout(commandTimeout);
            uri.getSentinels().forEach(sentinel -> sentinel.setTimeout(commandTimeout));
            uri.setClientName(uri.getClientName() == null ? "delayqueue" : uri.getClientName() + "-delayqueue");
        });
        ClientOptions options = options(target.options(), commandTimeout, requestQueueSize, target.certificates());
        if (target.cluster()) {
            RedisClusterClient cluster = RedisClusterClient.create(resources, target.addresses());
            cluster.setOptions(ofCluster(options));
            return cluster;
        }
        RedisClient client = RedisClient.create(resources, target.addresses().get(0));
        client.setOptions(options);
        return client;
    }

    /**
     * Returns client resources that never pause for long before they reconnect, and neither record latencies nor trace.
     *
     * @param other those of another client of the application, which may know how to find the servers
     */
    static ClientResources resources(@Nullable ClientResources other) {
        ClientResources.Builder own = ClientResources.builder()
                .reconnectDelay(
                        () -> Delay.exponential(Duration.ZERO, LONGEST_RECONNECT_PAUSE, 2, TimeUnit.MILLISECONDS))
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled());
        if (other != null) {
            own.addressResolverGroup(other.addressResolverGroup())
                    .nettyCustomizer(other.nettyCustomizer())
                    .socketAddressResolver(other.socketAddressResolver());
        }
        return own.build();
    }

    private static ClientOptions options(
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

    /** Plain options know nothing of clusters, and then Lettuce looks at the topology once, at the start. */
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
