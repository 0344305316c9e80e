// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The library's own connections to Redis: one that all calls share, and a client for others. Lettuce reconnects them.
 * Safe for use by many threads.
 */
public final class RedisConnections implements AutoCloseable {

    /** Names the server where there is but one, or none is known. */
    public static final String ONLY_SERVER = "";

    /** The time within which Lettuce reconnects to a server that is up. */
    private static final Duration RECONNECT_TIME = Duration.ofMillis(500);

    private final LettuceConnectionFactory factory;
    private final ClientResources resources;
    private final AbstractRedisClient client;
    private final Duration patience;
    private final NodeOutages outages;
    private final LazyConnection<SharedConnection> shared;
    private volatile boolean closed;

    private RedisConnections(LettuceConnectionFactory factory) {
        this.factory = factory;
        this.resources = factory.getClientConfiguration().getClientResources().orElseThrow();
        factory.setShareNativeConnection(false);
        factory.afterPropertiesSet();
        factory.start();
        this.client = factory.getRequiredNativeClient();
        this.patience = patience(factory.getClientConfiguration().getCommandTimeout());
        this.outages = new NodeOutages(patience);
        this.shared = new LazyConnection<>(this::open, SharedConnection::close);
    }

    /**
     * Derives connections from an application's. None is opened before it is needed.
     *
     * @param application the application's factory; left as it is
     * @param commandTimeout of each command, and the longest that connecting may take
     * @param requestQueueSize commands that may wait for an answer on one connection; one more is refused
     * @throws IllegalArgumentException if the application's factory has a static master/replica configuration
     */
    public static RedisConnections derive(
            LettuceConnectionFactory application, Duration commandTimeout, int requestQueueSize) {
        return derive(application, commandTimeout, requestQueueSize, tls -> {});
    }

    /**
     * Derives connections from those of an application whose certificates may change.
     *
     * @param certificates called for each connection that is encrypted, to set those that are valid then
     */
    public static RedisConnections derive(
            LettuceConnectionFactory application,
            Duration commandTimeout,
            int requestQueueSize,
            Consumer<SslContextBuilder> certificates) {
        return new RedisConnections(
                DerivedConnectionFactory.derive(application, commandTimeout, requestQueueSize, certificates));
    }

    /**
     * While another server may take over, a call is repeated for all of its time. A single server is given up sooner.
     */
    private Duration patience(Duration commandTimeout) {
        boolean mayTakeOver = isCluster() || factory.isRedisSentinelAware();
        return mayTakeOver || commandTimeout.compareTo(RECONNECT_TIME) < 0 ? commandTimeout : RECONNECT_TIME;
    }

    /** Returns the factory that names the servers; each connection that it lends is a new one. */
    public LettuceConnectionFactory factory() {
        return factory;
    }

    /** Returns the client, for connections that are not shared. */
    public AbstractRedisClient client() {
        return client;
    }

    /** Returns the commands of the shared connection. Does not block. */
    public CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands() {
        return shared.get().thenApply(connection -> connection.commands);
    }

    CompletableFuture<SharedConnection> shared() {
        return shared.get();
    }

    /** Returns the threads on which Lettuce watches its time-outs. */
    ScheduledExecutorService timer() {
        return resources.eventExecutorGroup();
    }

    boolean isCluster() {
        return client instanceof RedisClusterClient;
    }

    /** Returns the id of the cluster node that holds a key, if it is known, else {@link #ONLY_SERVER}. */
    String serverOf(byte[] key) {
        RedisClusterNode node = null;
        if (client instanceof RedisClusterClient cluster && shared.ifOpened() != null) {
            node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
        }
        return (node != null) ? node.getNodeId() : ONLY_SERVER;
    }

    /** Notes that a call could not be sent. Returns whether it may be tried again within its time. */
    boolean noteUnsent(byte[] key) {
        return !outages.noteUnsent(serverOf(key), System.nanoTime());
    }

    /** Notes that a server has answered, which ends what was noted against it. */
    void noteAnswer(byte[] key) {
        if (!outages.isEmpty()) {
            outages.sent(serverOf(key));
        }
    }

    private SharedConnection open() {
        SharedConnection opened;
        if (client instanceof RedisClusterClient cluster) {
            StatefulRedisClusterConnection<byte[], byte[]> connection = cluster.connect(ByteArrayCodec.INSTANCE);
            opened = new SharedConnection(connection.async(), connection::closeAsync);
        } else {
            StatefulRedisConnection<byte[], byte[]> connection =
                    ((RedisClient) client).connect(ByteArrayCodec.INSTANCE);
            opened = new SharedConnection(connection.async(), connection::closeAsync);
            connection.addListener(new OutageListener(opened));
        }
        outages.sent(ONLY_SERVER);
        return opened;
    }

    @Override
    public void close() {
        closed = true;
        factory.destroy();
        resources.shutdown();
    }

    /** The connection that all calls share. */
    final class SharedConnection implements ScriptConnection {

        private final RedisClusterAsyncCommands<byte[], byte[]> commands;
        private final Runnable close;

        SharedConnection(RedisClusterAsyncCommands<byte[], byte[]> commands, Runnable close) {
            this.commands = commands;
            this.close = close;
        }

        @Override
        public <T> CompletionStage<T> send(ScriptCall<T> call, boolean text) {
            return call.dispatch(commands, text);
        }

        /**
         * Replaces a single server's connection that Lettuce has closed for good, or whose server is no longer the master:
         * only a new connection finds the new master, for example behind a host name. Lettuce follows a cluster's changes.
         */
        @Override
        public void replaceAfter(Throwable failure) {
            boolean useless = RedisErrors.isReplacedMaster(failure) || RedisErrors.isClosed(failure);
            if (useless && !isCluster() && !closed) {
                shared.replace(this);
            }
        }

        void close() {
            close.run();
        }
    }

    /** Notes outages of a single server, even without calls. */
    private final class OutageListener implements RedisConnectionStateListener {

        private final SharedConnection connection;
        private volatile boolean connected = true;

        OutageListener(SharedConnection connection) {
            this.connection = connection;
        }

        @Override
        public void onRedisConnected(RedisChannelHandler<?, ?> handler, java.net.SocketAddress server) {
            connected = true;
            outages.sent(ONLY_SERVER);
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
            connected = false;
            noteUnlessConnected();
            if (!closed) {
                timer().schedule(this::noteUnlessConnected, patience.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private void noteUnlessConnected() {
            if (!connected && !closed && shared.ifOpened() == connection) {
                outages.noteUnsent(ONLY_SERVER, System.nanoTime());
            }
        }
    }
}
