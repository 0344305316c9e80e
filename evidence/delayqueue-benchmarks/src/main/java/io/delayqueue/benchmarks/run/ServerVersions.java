// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.TestDatabase;
import java.sql.DriverManager;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/** Reads the versions of the servers that runs use. Starts each server once and queries it. */
final class ServerVersions {

    private ServerVersions() {}

    /** Returns versions by name. Omits unavailable servers, because their runs report them. */
    static Map<String, String> read() {
        Map<String, String> versions = new LinkedHashMap<>();
        put(versions, "Redis", ServerVersions::redis);
        put(versions, "RabbitMQ", ServerVersions::rabbit);
        put(versions, "PostgreSQL", () -> database(DatabaseServer.postgres().start()));
        put(versions, "MariaDB", () -> database(DatabaseServer.mariaDb().start()));
        return versions;
    }

    private static void put(Map<String, String> versions, String name, Callable<String> version) {
        try {
            versions.put(name, version.call());
        } catch (Exception ex) {
            System.err.println("benchmark: the version of " + name + " is not known: " + ex);
        }
    }

    private static String redis() {
        try (RedisServer server = RedisServer.installed().start()) {
            return server.version();
        }
    }

    private static String rabbit() throws Exception {
        try (RabbitServer server = RabbitServer.installed().start()) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(server.uri());
            try (Connection connection = factory.newConnection()) {
                return String.valueOf(connection.getServerProperties().get("version"));
            }
        }
    }

    private static String database(DatabaseServer started) throws Exception {
        try (DatabaseServer server = started) {
            TestDatabase database = server.createDatabase("version");
            try (java.sql.Connection connection =
                    DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password())) {
                return connection.getMetaData().getDatabaseProductVersion();
            }
        }
    }
}
