// SPDX-License-Identifier: Apache-2.0

import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.DatabaseServerBuilder;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import java.util.Map;
import java.util.Properties;
import java.io.StringReader;

/**
 * Starts the server that tests would get, and prints what it calls itself: {@code java ServerVersion.java
 * redis|rabbitmq|postgres|mariadb}.
 */
class ServerVersion {

    public static void main(String[] arguments) throws Exception {
        System.out.println(
                switch (arguments[0]) {
                    case "redis" -> redis();
                    case "rabbitmq" -> rabbitmq();
                    case "postgres" -> database(DatabaseServer.postgres());
                    default -> database(DatabaseServer.mariaDb());
                });
        System.exit(0);
    }

    private static String redis() throws Exception {
        try (RedisServer server = RedisServer.installed().start();
                RedisClient client = RedisClient.create(server.adminUri().toString())) {
            Properties info = new Properties();
            info.load(new StringReader(client.connect().sync().info("server")));
            return info.containsKey("valkey_version")
                    ? "Valkey " + info.get("valkey_version")
                    : "Redis " + info.get("redis_version");
        }
    }

    private static String database(DatabaseServerBuilder builder) throws Exception {
        try (DatabaseServer server = builder.start();
                var connection = server.createDatabase("version").connect()) {
            var said = connection.getMetaData();
            return said.getDatabaseProductName() + " " + said.getDatabaseProductVersion();
        }
    }

    private static String rabbitmq() throws Exception {
        try (RabbitServer server = RabbitServer.installed().start()) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(server.uri());
            try (var connection = factory.newConnection()) {
                Map<String, Object> said = connection.getServerProperties();
                return said.get("product") + " " + said.get("version") + " (" + said.get("platform") + ")";
            }
        }
    }
}
