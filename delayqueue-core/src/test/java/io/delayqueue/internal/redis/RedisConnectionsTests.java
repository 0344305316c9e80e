// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.tracing.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedisConnectionsTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static ClientOptions optionsOf(RedisTarget target) {
        try (RedisConnections connections = new RedisConnections(() -> target, TIMEOUT, 77)) {
            return connections.client().getOptions();
        }
    }

    private static RedisTarget target(boolean cluster, ClientOptions options) {
        return new RedisTarget(List.of(RedisURI.create("redis.example", 1)), cluster, options, null, tls -> {});
    }

    @Test
    void clientWhenTheApplicationHasOptionsChangesOnlyWhatMustBe() {
        ClientOptions options = optionsOf(target(
                false,
                ClientOptions.builder()
                        .pingBeforeActivateConnection(false)
                        .suspendReconnectOnProtocolFailure(true)
                        .socketOptions(SocketOptions.builder()
                                .connectTimeout(Duration.ofSeconds(10))
                                .keepAlive(true)
                                .tcpUserTimeout(TcpUserTimeoutOptions.builder()
                                        .enable()
                                        .tcpUserTimeout(Duration.ofSeconds(7))
                                        .build())
                                .build())
                        .build()));

        assertThat(options.getDisconnectedBehavior()).isEqualTo(DisconnectedBehavior.REJECT_COMMANDS);
        assertThat(options.isAutoReconnect()).isTrue();
        assertThat(options.isSuspendReconnectOnProtocolFailure()).isFalse();
        assertThat(options.getRequestQueueSize()).isEqualTo(77);
        assertThat(options.getTimeoutOptions().isTimeoutCommands()).isTrue();
        assertThat(options.isPingBeforeActivateConnection()).isFalse();
        assertThat(options.getSocketOptions().isKeepAlive()).isTrue();
        assertThat(options.getSocketOptions().isEnableTcpUserTimeout()).isTrue();
        assertThat(options.getSocketOptions().getTcpUserTimeout().getTcpUserTimeout())
                .isEqualTo(Duration.ofSeconds(7));
        assertThat(options.getSocketOptions().getConnectTimeout()).isEqualTo(TIMEOUT);
    }

    @Test
    void clientNamesItsConnectionsAndBoundsTheirTime() {
        RedisURI plain = RedisURI.create("redis.example", 1);
        RedisURI named = RedisURI.builder()
                .withSentinel("a", 1)
                .withSentinelMasterId("m")
                .withClientName("shop")
                .build();

        optionsOf(RedisTarget.of(plain));
        optionsOf(RedisTarget.of(named));

        assertThat(plain.getClientName()).isEqualTo("delayqueue");
        assertThat(named.getClientName()).isEqualTo("shop-delayqueue");
        assertThat(plain.getTimeout()).isEqualTo(TIMEOUT);
        assertThat(named.getSentinels()).extracting(RedisURI::getTimeout).containsExactly(TIMEOUT);
    }

    static List<ClientOptions> optionsOfClusters() {
        return List.of(ClientOptions.create(), ClusterClientOptions.create());
    }

    @ParameterizedTest
    @MethodSource("optionsOfClusters")
    void clientWhenTheServersAreAClusterFollowsItsTopologyWhateverTheOptionsAre(ClientOptions given) {
        ClusterClientOptions options = (ClusterClientOptions) optionsOf(target(true, given));

        assertThat(options.getDisconnectedBehavior()).isEqualTo(DisconnectedBehavior.REJECT_COMMANDS);
        assertThat(options.getRequestQueueSize()).isEqualTo(77);
        assertThat(options.getTimeoutOptions().isTimeoutCommands()).isTrue();
        assertThat(options.getSocketOptions().getConnectTimeout()).isEqualTo(TIMEOUT);
        ClusterTopologyRefreshOptions refresh = options.getTopologyRefreshOptions();
        assertThat(refresh.isPeriodicRefreshEnabled()).isTrue();
        assertThat(refresh.getRefreshPeriod()).isEqualTo(Duration.ofSeconds(30));
        assertThat(refresh.getAdaptiveRefreshTriggers()).containsExactlyInAnyOrder(RefreshTrigger.values());
        assertThat(refresh.getAdaptiveRefreshTimeout()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void clientWhenTheApplicationRefreshesMoreOftenKeepsThatAndItsOtherClusterOptions() {
        ClusterClientOptions options = (ClusterClientOptions) optionsOf(target(
                true,
                ClusterClientOptions.builder()
                        .maxRedirects(9)
                        .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                                .enablePeriodicRefresh(Duration.ofSeconds(3))
                                .adaptiveRefreshTriggersTimeout(Duration.ofMillis(100))
                                .dynamicRefreshSources(false)
                                .closeStaleConnections(false)
                                .build())
                        .build()));

        assertThat(options.getMaxRedirects()).isEqualTo(9);
        ClusterTopologyRefreshOptions refresh = options.getTopologyRefreshOptions();
        assertThat(refresh.getRefreshPeriod()).isEqualTo(Duration.ofSeconds(3));
        assertThat(refresh.getAdaptiveRefreshTimeout()).isEqualTo(Duration.ofMillis(100));
        assertThat(refresh.useDynamicRefreshSources()).isFalse();
        assertThat(refresh.isCloseStaleConnections()).isFalse();
    }

    @Test
    void clientWhenTheApplicationsResourcesAreInstrumentedIsNot() {
        ClientResources application = ClientResources.builder()
                .commandLatencyRecorder(mock(CommandLatencyRecorder.class))
                .tracing(mock(Tracing.class))
                .build();
        RedisTarget target = new RedisTarget(
                List.of(RedisURI.create("redis.example", 1)), false, ClientOptions.create(), application, tls -> {});
        try (RedisConnections connections = new RedisConnections(() -> target, TIMEOUT, 77)) {
            ClientResources own = connections.client().getResources();

            assertThat(own.commandLatencyRecorder().isEnabled()).isFalse();
            assertThat(own.tracing().isEnabled()).isFalse();
            assertThat(own.socketAddressResolver()).isSameAs(application.socketAddressResolver());
            assertThat(own.eventLoopGroupProvider()).isNotSameAs(application.eventLoopGroupProvider());
            assertThat(own.reconnectDelay().createDelay(1)).isLessThan(Duration.ofMillis(10));
            assertThat(own.reconnectDelay().createDelay(30)).isEqualTo(Duration.ofMillis(250));
        } finally {
            application.shutdown();
        }
    }

    @Test
    void clientIsMadeWhenItIsFirstNeededAndNotAfterClose() {
        AtomicInteger asked = new AtomicInteger();
        RedisConnections connections = new RedisConnections(
                () -> {
                    asked.incrementAndGet();
                    return RedisTarget.of(RedisURI.create("redis.example", 1));
                },
                TIMEOUT,
                77);
        assertThat(asked).hasValue(0);
        connections.client();
        connections.client();
        assertThat(asked).hasValue(1);
        connections.close();

        RedisConnections unused = new RedisConnections(() -> RedisTarget.of(RedisURI.create("a", 1)), TIMEOUT, 77);
        unused.close();
        assertThatExceptionOfType(RedisException.class).isThrownBy(unused::client);
    }
}
