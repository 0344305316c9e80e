// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.EmbeddedAmqpBroker;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The servers that all test classes of this JVM share until it ends. One instance per JVM, because Spring's context
 * customizers need the servers and cannot access JUnit's stores.
 */
final class SharedServers {

    static final SharedServers INSTANCE = new SharedServers();

    private final Map<DelayQueueServers.Redis, RedisServer> redis = new EnumMap<>(DelayQueueServers.Redis.class);
    private final Map<DelayQueueServers.Database, DatabaseServer> databases =
            new EnumMap<>(DelayQueueServers.Database.class);

    private @Nullable RabbitServer rabbit;
    private @Nullable EmbeddedAmqpBroker broker;

    private SharedServers() {}

    /** Starts the servers of the annotation that are not running yet. */
    synchronized List<Object> start(DelayQueueServers annotation) {
        List<Object> servers = new ArrayList<>();
        if (annotation.redis() != DelayQueueServers.Redis.NONE) {
            servers.add(redis(annotation.redis()));
        }
        switch (annotation.rabbit()) {
            case EMBEDDED -> servers.add(broker());
            case REAL -> servers.add(rabbit());
            case NONE -> {}
        }
        if (annotation.database() != DelayQueueServers.Database.NONE) {
            servers.add(database(annotation.database()));
        }
        return servers;
    }

    synchronized RedisServer redis(DelayQueueServers.Redis kind) {
        RedisServer server = redis.computeIfAbsent(kind, SharedServers::create);
        server.start();
        return server;
    }

    private static RedisServer create(DelayQueueServers.Redis kind) {
        return switch (kind) {
            case AVAILABLE -> RedisServer.available().build();
            case EMBEDDED -> RedisServer.embedded().build();
            case INSTALLED -> RedisServer.installed().build();
            case NONE -> throw new IllegalArgumentException("no server");
        };
    }

    synchronized DatabaseServer database(DelayQueueServers.Database kind) {
        DatabaseServer server = databases.computeIfAbsent(kind, SharedServers::create);
        server.start();
        return server;
    }

    private static DatabaseServer create(DelayQueueServers.Database kind) {
        return switch (kind) {
            case POSTGRES -> DatabaseServer.postgres().unflushed().build();
            case MARIADB -> DatabaseServer.mariaDb().unflushed().build();
            case NONE -> throw new IllegalArgumentException("no server");
        };
    }

    synchronized RabbitServer rabbit() {
        if (rabbit == null) {
            rabbit = RabbitServer.installed().build();
        }
        rabbit.start();
        return rabbit;
    }

    synchronized EmbeddedAmqpBroker broker() {
        if (broker == null) {
            broker = new EmbeddedAmqpBroker();
        }
        broker.start();
        return broker;
    }
}
