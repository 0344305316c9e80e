// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The library's own connections to Redis: one that all calls share, and a client for further connections. Lettuce
 * reconnects them. Thread-safe.
 */
public final class RedisConnections implements AutoCloseable {

    /** The name of the server if there is only one, or if it is unknown. */
    public static final String ONLY_SERVER = "";

    /** The time within which Lettuce reconnects to a server that is up. */
    private static final Duration RECONNECT_TIME = Duration.ofMillis(500);

    private static final Duration LONGEST_SHUTDOWN = Duration.ofMillis(100);

    private final Supplier<RedisTarget> target;
    private final Duration commandTimeout;
    private final int requestQueueSize;
    private final LazyConnection<SharedConnection> shared;
    private final Set<Runnable> deadlines = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Opened opened;
    private volatile boolean closed;

    /**
     * Creates the object without opening connections.
     *
     * @param target called once, for the first connection
     * @param commandTimeout maximum duration of each command and of connecting
     * @param requestQueueSize maximum number of commands that wait for a reply on one connection; further commands are
     *     refused
     */
    public RedisConnections(Supplier<RedisTarget> target, Duration commandTimeout, int requestQueueSize) {
        this.target = target;
        this.commandTimeout = commandTimeout;
        this.requestQueueSize = requestQueueSize;
        this.shared = new LazyConnection<>(this::connect, SharedConnection::close);
    }

    /** The client and its parts. */
    private record Opened(
            AbstractRedisClient client, ClientResources resources, Duration patience, NodeOutages outages) {}

    private Opened opened() {
        Opened current = opened;
        return (current != null) ? current : open();
    }

    private synchronized Opened open() {
        Opened current = opened;
        if (current == null) {
            if (closed) {
                throw new RedisException("The connections to Redis are closed");
            }
            RedisTarget servers = target.get();
            ClientResources resources = LettuceClients.resources(servers.resources());
            Duration patience = patience(servers);
            current = new Opened(
                    LettuceClients.of(servers, commandTimeout, requestQueueSize, resources),
                    resources,
                    patience,
                    new NodeOutages(patience));
            opened = current;
        }
        return current;
    }

    /**
     * Returns how long a call is retried: for its whole time if another server may take over, for less if there is a
     * single server.
     */
    private Duration patience(RedisTarget servers) {
        boolean mayTakeOver = servers.cluster() || servers.sentinel();
        return mayTakeOver || commandTimeout.compareTo(RECONNECT_TIME) < 0 ? commandTimeout : RECONNECT_TIME;
    }

    /**
     * Starts to connect, and returns at once.
     *
     * @throws RuntimeException if no servers are configured
     */
    public void connectAhead() {
        opened();
        shared.get();
    }

    /** Returns the client, for connections that are not shared. */
    public AbstractRedisClient client() {
        return opened().client();
    }

    /** Returns the commands of the shared connection. Does not block. */
    public CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands() {
        return shared.get().thenApply(connection -> connection.commands);
    }

    CompletableFuture<SharedConnection> shared() {
        return shared.get();
    }

    ScheduledExecutorService timer() {
        return opened().resources().eventExecutorGroup();
    }

    /** Runs the step at a time or when these connections are closed, which ends the timer, unless the call has ended. */
    void atDeadline(long nanoTime, CompletableFuture<?> call, Runnable step) {
        deadlines.add(step);
        call.whenComplete((value, error) -> deadlines.remove(step));
        if (closed) {
            step.run();
        } else {
            ScheduledFuture<?> expiry = timer().schedule(step, nanoTime - System.nanoTime(), TimeUnit.NANOSECONDS);
            call.whenComplete((value, error) -> expiry.cancel(false));
        }
    }

    boolean isCluster() {
        return client() instanceof RedisClusterClient;
    }

    /** Returns the id of the cluster node that holds a key, if known, otherwise {@link #ONLY_SERVER}. */
    String serverOf(byte[] key) {
        RedisClusterNode node = null;
        if (client() instanceof RedisClusterClient cluster && shared.ifOpened() != null) {
            node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
        }
        return (node != null) ? node.getNodeId() : ONLY_SERVER;
    }

    /** Records a call that could not be sent. Returns whether it may be retried within its time. */
    boolean noteUnsent(byte[] key, Throwable error) {
        return !outages().noteUnsent(serverOf(key), System.nanoTime(), RedisErrors.refusedSignIn(error));
    }

    /** Records that a server does not execute calls for now. */
    void noteRefusal(byte[] key, Throwable reply) {
        outages().noteRefusal(serverOf(key), RedisErrors.firstLine(reply));
    }

    /** Records that the caller has logged that no server can be reached. */
    public void noteLoggedOutage() {
        outages().noteLogged(ONLY_SERVER, System.nanoTime());
    }

    /** Records a reply of a server, which ends a recorded outage. */
    void noteAnswer(byte[] key) {
        if (!outages().isEmpty()) {
            outages().sent(serverOf(key));
            if (client() instanceof RedisClusterClient cluster) {
                outages().keepServing(node -> node.equals(ONLY_SERVER) || servesKeys(cluster, node));
            }
            if (outages().isNoted(ONLY_SERVER) && isEachSlotServed()) {
                outages().sent(ONLY_SERVER);
            }
        }
    }

    private static boolean servesKeys(RedisClusterClient cluster, String node) {
        RedisClusterNode known = cluster.getPartitions().getPartitionByNodeId(node);
        return known != null && !known.hasNoSlots();
    }

    /** Returns {@code false} while a cluster may have no node for a call. */
    private boolean isEachSlotServed() {
        return client() instanceof RedisClusterClient cluster
                && IntStream.range(0, SlotHash.SLOT_COUNT)
                        .allMatch(slot -> cluster.getPartitions().getPartitionBySlot(slot) != null);
    }

    /** Returns whether calls cannot be sent at the moment. If so, the outage is logged now or soon. */
    public boolean isUnreachable() {
        return !outages().isEmpty();
    }

    private NodeOutages outages() {
        return opened().outages();
    }

    private SharedConnection connect() {
        SharedConnection opened;
        if (client() instanceof RedisClusterClient cluster) {
            StatefulRedisClusterConnection<byte[], byte[]> connection = cluster.connect(ByteArrayCodec.INSTANCE);
            opened = new SharedConnection(connection.async(), connection::closeAsync);
        } else {
            StatefulRedisConnection<byte[], byte[]> connection =
                    ((RedisClient) client()).connect(ByteArrayCodec.INSTANCE);
            opened = new SharedConnection(connection.async(), connection::closeAsync);
            connection.addListener(new OutageListener(opened));
        }
        outages().sent(ONLY_SERVER);
        return opened;
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            Opened current = opened;
            if (current != null) {
                current.client().shutdown(Duration.ZERO, LONGEST_SHUTDOWN);
                deadlines.forEach(Runnable::run);
                current.resources().shutdown();
            }
        }
    }

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
         * Replaces the connection to a single server if Lettuce has closed it permanently or its server is no longer
         * the master: only a new connection finds the new master, for example behind a host name. In a cluster, Lettuce
         * follows the changes.
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

    /** Records outages of a single server even without calls. */
    private final class OutageListener implements RedisConnectionStateListener {

        private final SharedConnection connection;
        private volatile boolean connected = true;

        OutageListener(SharedConnection connection) {
            this.connection = connection;
        }

        @Override
        public void onRedisConnected(RedisChannelHandler<?, ?> handler, java.net.SocketAddress server) {
            connected = true;
            outages().sent(ONLY_SERVER);
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
            connected = false;
            noteUnlessConnected();
            if (!closed) {
                timer().schedule(this::noteUnlessConnected, opened().patience().toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        private void noteUnlessConnected() {
            if (!connected && !closed && shared.ifOpened() == connection) {
                outages().noteUnsent(ONLY_SERVER, System.nanoTime(), null);
            }
        }
    }
}
