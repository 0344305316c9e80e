// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions.RefreshTrigger;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.test.util.ReflectionTestUtils;

class RedisConnectionsTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static LettuceConnectionFactory derive(RedisConfiguration servers, LettuceClientConfiguration client) {
        return derive(new LettuceConnectionFactory(servers, client));
    }

    private static LettuceConnectionFactory derive(LettuceConnectionFactory application) {
        try (RedisConnections connections = RedisConnections.derive(application, TIMEOUT, 77)) {
            return connections.factory();
        }
    }

    /** What a factory connects to; its getters answer only for some types. */
    private static Object serversOf(LettuceConnectionFactory factory) {
        return ReflectionTestUtils.getField(factory, "configuration");
    }

    @Test
    void deriveWhenTheApplicationConfiguredItsClientChangesOnlyWhatMustBe() {
        LettuceClientConfiguration client = LettuceClientConfiguration.builder()
                .clientName("shop")
                .readFrom(ReadFrom.REPLICA)
                .commandTimeout(Duration.ofSeconds(60))
                .clientOptions(ClientOptions.builder()
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
                        .build())
                .useSsl()
                .startTls()
                .disablePeerVerification()
                .build();
        RedisStandaloneConfiguration servers = new RedisStandaloneConfiguration("redis.example", 1234);
        servers.setDatabase(3);

        LettuceConnectionFactory own = derive(servers, client);

        assertThat(serversOf(own)).isEqualTo(servers);
        LettuceClientConfiguration derived = own.getClientConfiguration();
        ClientOptions options = derived.getClientOptions().orElseThrow();
        assertThat(derived.getClientName()).hasValue("shop-delayqueue");
        assertThat(derived.getReadFrom()).isEmpty();
        assertThat(derived.getCommandTimeout()).isEqualTo(TIMEOUT);
        assertThat(derived.isUseSsl()).isTrue();
        assertThat(derived.isStartTls()).isTrue();
        assertThat(derived.getVerifyMode()).isEqualTo(client.getVerifyMode());
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
    void deriveWhenTheApplicationUsesAClusterFollowsItsTopologyWhateverItsOptionsAre() {
        RedisClusterConfiguration servers = new RedisClusterConfiguration(List.of("a:1", "b:2"));
        List<LettuceClientConfiguration> clients = List.of(
                LettuceClientConfiguration.defaultConfiguration(),
                client(ClientOptions.create()),
                client(ClusterClientOptions.create()));

        for (LettuceClientConfiguration client : clients) {
            LettuceConnectionFactory own = derive(servers, client);

            assertThat(serversOf(own)).isEqualTo(servers);
            ClusterClientOptions options = clusterOptions(own);
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
    }

    @Test
    void deriveWhenTheApplicationRefreshesMoreOftenKeepsThatAndItsOtherClusterOptions() {
        LettuceConnectionFactory own = derive(
                new RedisClusterConfiguration(List.of("a:1")),
                client(ClusterClientOptions.builder()
                        .maxRedirects(9)
                        .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                                .enablePeriodicRefresh(Duration.ofSeconds(3))
                                .adaptiveRefreshTriggersTimeout(Duration.ofMillis(100))
                                .dynamicRefreshSources(false)
                                .closeStaleConnections(false)
                                .build())
                        .build()));

        ClusterClientOptions options = clusterOptions(own);
        assertThat(options.getMaxRedirects()).isEqualTo(9);
        ClusterTopologyRefreshOptions refresh = options.getTopologyRefreshOptions();
        assertThat(refresh.getRefreshPeriod()).isEqualTo(Duration.ofSeconds(3));
        assertThat(refresh.getAdaptiveRefreshTimeout()).isEqualTo(Duration.ofMillis(100));
        assertThat(refresh.useDynamicRefreshSources()).isFalse();
        assertThat(refresh.isCloseStaleConnections()).isFalse();
    }

    private static LettuceClientConfiguration client(ClientOptions options) {
        return LettuceClientConfiguration.builder().clientOptions(options).build();
    }

    private static ClusterClientOptions clusterOptions(LettuceConnectionFactory factory) {
        return (ClusterClientOptions)
                factory.getClientConfiguration().getClientOptions().orElseThrow();
    }

    @Test
    void deriveWhenGivenAnyKindOfServersUsesThose() {
        LettuceClientConfiguration client = LettuceClientConfiguration.defaultConfiguration();
        RedisStandaloneConfiguration standalone = new RedisStandaloneConfiguration("redis.example", 1234);
        List<RedisConfiguration> kinds = List.of(
                standalone,
                new RedisSentinelConfiguration().master("m").sentinel("a", 1),
                new RedisSocketConfiguration("/tmp/redis.sock"),
                new RedisClusterConfiguration(List.of("a:1")));

        for (RedisConfiguration servers : kinds) {
            assertThat(serversOf(derive(servers, client))).isSameAs(servers);
        }
        LettuceConnectionFactory typed = new LettuceConnectionFactory(standalone, client);
        assertThat(serversOf(derive(typed))).isSameAs(standalone);
    }

    @Test
    void deriveWhenTheApplicationHasClientResourcesSharesTheirThreadsButNeverPausesForLong() {
        ClientResources application = ClientResources.create();
        try {
            LettuceConnectionFactory own = derive(
                    new RedisStandaloneConfiguration("redis.example", 1234),
                    LettuceClientConfiguration.builder()
                            .clientResources(application)
                            .build());

            ClientResources derived =
                    own.getClientConfiguration().getClientResources().orElseThrow();
            assertThat(derived.eventLoopGroupProvider()).isSameAs(application.eventLoopGroupProvider());
            assertThat(derived.eventExecutorGroup()).isSameAs(application.eventExecutorGroup());
            assertThat(application.eventExecutorGroup().isShuttingDown())
                    .as("closed with the library's connections")
                    .isFalse();
            assertThat(application.reconnectDelay().createDelay(30)).isEqualTo(Duration.ofSeconds(30));
            assertThat(derived.reconnectDelay().createDelay(1)).isLessThan(Duration.ofMillis(10));
            assertThat(derived.reconnectDelay().createDelay(30)).isEqualTo(Duration.ofMillis(250));
        } finally {
            application.shutdown();
        }
    }

    @Test
    void deriveWhenMasterAndReplicasAreFixedIsRefused() {
        RedisConfiguration servers = new RedisStaticMasterReplicaConfiguration("redis.example", 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> derive(servers, LettuceClientConfiguration.defaultConfiguration()))
                .withMessageContaining("Sentinel");
    }
}
