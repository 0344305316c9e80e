// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.redis.rights.RedisRights;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Servers with two kinds of access: the library's connection factory, and a raw one that reads bytes as Latin-1 text.
 */
public abstract class TestRedis implements ContractStore, AutoCloseable {

    public static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** A user with {@link RedisRights} and no others; the library under test is this one. */
    static final String USER = "delayqueue";

    static final String PASSWORD = "least-rights";

    private final List<Runnable> opened = new CopyOnWriteArrayList<>();
    private RedisConnections connections;

    /** Returns one of {@link StoreServers#shared}. */
    static TestRedis shared(StoreServers servers) {
        return servers.shared();
    }

    @Override
    public final void clear() {
        raw().flushall();
    }

    @Override
    public final boolean isEmpty() {
        return raw().keys("*").isEmpty();
    }

    @Override
    public final TaskStore tasks(Duration timeout, LongSupplier clockOffsetMillis) {
        return TestStores.of(
                connections(),
                new RedisKeys("dq"),
                timeout,
                ContractStore::historyLength,
                TestStores.ahead(clockOffsetMillis));
    }

    @Override
    public final ShardState state(Shard shard) {
        return ShardState.read(raw(), shard);
    }

    @Override
    public final Instant clock() {
        List<String> time = raw().time();
        return Instant.ofEpochSecond(Long.parseLong(time.get(0)), Long.parseLong(time.get(1)) * 1_000);
    }

    @Override
    public final Ear listen(String queue) {
        return new RedisEar(this, "dq:{" + queue + "}:wake");
    }

    @Override
    public final void forgetScripts() {
        raw().scriptFlush();
    }

    /** To whichever server holds the key. */
    abstract RedisClusterCommands<String, String> raw();

    /** To the one server that holds {@link StoreContract#SHARD}. */
    abstract RedisClusterCommands<String, String> node();

    /** Calls every server, for what is configured on each. */
    abstract void everyNode(Consumer<RedisClusterCommands<String, String>> call);

    /** The one server that holds {@link StoreContract#SHARD}. */
    abstract BreakableServer server();

    /** How an application would be configured. */
    abstract RedisTarget target();

    abstract StatefulRedisPubSubConnection<String, String> connectSubscriber();

    /** Returns the connections that the library would use. */
    public final synchronized RedisConnections connections() {
        if (connections == null) {
            connections = connections(TIMEOUT);
        }
        return connections;
    }

    public final RedisConnections connections(Duration timeout) {
        return connections(USER, PASSWORD, timeout);
    }

    public final RedisConnections connections(String user, String password, Duration timeout) {
        return connections(user, password, timeout, 10_000);
    }

    public final RedisConnections connections(String user, String password, Duration timeout, int requestQueueSize) {
        RedisTarget target = target();
        for (RedisURI address : target.addresses()) {
            address.setAuthentication(user, password.toCharArray());
        }
        RedisConnections own = new RedisConnections(() -> target, timeout, requestQueueSize);
        opened.add(own::close);
        return own;
    }

    final StatefulRedisPubSubConnection<String, String> subscriber() {
        StatefulRedisPubSubConnection<String, String> connection = connectSubscriber();
        opened.add(connection::close);
        return connection;
    }

    final void closeConnections() {
        List.copyOf(opened).forEach(Runnable::run);
        opened.clear();
        connections = null;
    }

    @Override
    public abstract void close();
}
