// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.internal.autoconfigure.redis.start.RedisInfo;
import io.delayqueue.internal.autoconfigure.redis.start.RedisReplies;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Asks the Redis servers what they promise, with {@code INFO} and {@code CONFIG GET}; what this user may not ask stays
 * unknown. At start it is logged ({@code delayqueue.redis.report}), as a warning where it does not go with what the
 * queues ask for.
 */
public final class RedisDurabilityReport {

    private static final Logger log = LoggerFactory.getLogger(RedisDurabilityReport.class);
    private static final String PROPERTY = "delayqueue.redis.report";

    private final RedisConnectionFactory connectionFactory;
    private final QueueCatalog queues;
    private final boolean report;

    public RedisDurabilityReport(RedisConnectionFactory connectionFactory, QueueCatalog queues, boolean report) {
        this.connectionFactory = connectionFactory;
        this.queues = queues;
        this.report = report;
    }

    /**
     * Asks now; of a cluster, each master. Blocks for several commands.
     *
     * @throws org.springframework.dao.DataAccessException if Redis cannot be reached
     */
    public List<RedisDurability> ask() {
        try (RedisConnection connection = connectionFactory.getConnection()) {
            return ask(info(connection), connection);
        }
    }

    private static @Nullable RedisInfo info(RedisConnection connection) {
        try {
            return RedisInfo.ask(connection);
        } catch (RuntimeException ex) {
            unlessForbidden(ex, "INFO");
            return null;
        }
    }

    /**
     * Never fails: nothing depends on it.
     *
     * @param info null where the servers do not say
     */
    public void logAtStart(@Nullable RedisInfo info) {
        if (!report) {
            return;
        }
        try (RedisConnection connection = connectionFactory.getConnection()) {
            ask(info, connection).forEach(this::log);
        } catch (RuntimeException ex) {
            log.info(
                    "What the Redis servers promise is not known ({}); {}=false silences this",
                    RedisReplies.rootMessage(ex),
                    PROPERTY);
        }
    }

    private void log(RedisDurability promise) {
        if (promise.forgets()) {
            log.warn("Redis {}: {}", promise.server(), promise.describe());
        } else {
            log.info("Redis {}: {}", promise.server(), promise.describe());
        }
        checkReplicas(promise);
    }

    private void checkReplicas(RedisDurability promise) {
        Integer connected = promise.replicas();
        for (String name : queues.names()) {
            QueueSettings queue = queues.get(name);
            if (connected != null && queue.replicas() > connected) {
                log.warn(
                        "Queue '{}' asks for {} replicas, but Redis {} has {}: calls will fail with"
                                + " TaskNotReplicatedException. Add replicas or lower delayqueue.queues.{}.replicas",
                        name,
                        queue.replicas(),
                        promise.server(),
                        connected,
                        name);
            }
        }
    }

    private static List<RedisDurability> ask(@Nullable RedisInfo info, RedisConnection connection) {
        Map<String, Properties> servers = (info == null) ? new TreeMap<>() : info.byServer();
        try {
            for (String name : new String[] {"appendfsync", "save", "min-replicas-to-write"}) {
                RedisInfo.sort(connection.serverCommands().getConfig(name), servers);
            }
        } catch (RuntimeException ex) {
            unlessForbidden(ex, "CONFIG GET");
        }
        List<RedisDurability> promises = new ArrayList<>();
        servers.forEach((server, said) -> {
            if (!"slave".equals(said.getProperty("role"))) {
                promises.add(promise(server, said));
            }
        });
        return promises.isEmpty() ? List.of(promise("", new Properties())) : promises;
    }

    private static void unlessForbidden(RuntimeException ex, String command) {
        if (!RedisReplies.isForbidden(ex)) {
            throw ex;
        }
        log.info(
                "This Redis user may not run {}, so that a part of what the server promises is not known; {}=false"
                        + " silences this",
                command,
                PROPERTY);
    }

    private static RedisDurability promise(String server, Properties said) {
        String appendOnly = said.getProperty("aof_enabled");
        return new RedisDurability(
                server.isEmpty() ? "on port " + said.getProperty("tcp_port", "unknown") : server,
                appendOnly == null ? null : appendOnly.equals("1"),
                said.getProperty("appendfsync"),
                said.getProperty("save"),
                number(said.getProperty("connected_slaves")),
                number(said.getProperty("min-replicas-to-write")),
                said.getProperty("maxmemory_policy"));
    }

    private static @Nullable Integer number(@Nullable String text) {
        return (text == null || !text.matches("\\d{1,9}")) ? null : Integer.valueOf(text);
    }
}
