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
 * Creates Lettuce clients for the library. The clients have limited time-outs and request queues, never read from
 * replicas and are not instrumented. They do not replay commands of a broken connection, because a script might then
 * run twice.
 */
final class LettuceClients {

    /** Maximum pause before a reconnect; Lettuce's default is 30 seconds. */
    private static final Duration LONGEST_RECONNECT_PAUSE = Duration.ofMillis(250);
    /** How long until a client rereads the topology of a cluster without a sign of a change. */
    private static final Duration LONGEST_TOPOLOGY_AGE = Duration.ofSeconds(30);
    /** Time between two reads of the topology while calls fail, so that the client detects a failover quickly. */
    private static final Duration REFRESH_PAUSE = Duration.ofMillis(500);

    private LettuceClients() {}

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
     * Returns client resources that reconnect with short pauses and neither record latencies nor trace.
     *
     * @param other resources of another client of the application, whose name resolution is used
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
            // mutate() of Lettuce 7.5 loses this value.
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

    /** The application's TLS settings, which read the certificates again for each connection. */
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

    /**
     * Converts options to options for a cluster. With plain options, Lettuce would read the topology only at startup.
     */
    private static ClusterClientOptions ofCluster(ClientOptions options) {
        ClusterClientOptions cluster = (options instanceof ClusterClientOptions given)
                ? given
                : ClusterClientOptions.builder(options).build();
        return cluster.mutate()
                .topologyRefreshOptions(refreshing(cluster.getTopologyRefreshOptions()))
                .build();
    }

    /** Enables all adaptive triggers, including those that the application has disabled. */
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
