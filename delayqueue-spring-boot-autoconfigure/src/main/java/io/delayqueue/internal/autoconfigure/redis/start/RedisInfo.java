// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * What the Redis servers say of themselves. A cluster answers for each of its nodes, as {@code host:port.field}.
 *
 * @param fields by their names
 */
public record RedisInfo(Properties fields) {

    /** Asks each server once. */
    public static RedisInfo ask(RedisConnection connection) {
        Properties answer = connection.serverCommands().info();
        return new RedisInfo(answer == null ? new Properties() : answer);
    }

    /** The values of a field, of all servers. */
    Set<String> values(String field) {
        Set<String> values = new TreeSet<>();
        for (String name : fields.stringPropertyNames()) {
            if (name.equals(field) || name.endsWith("." + field)) {
                values.add(fields.getProperty(name));
            }
        }
        return values;
    }

    /** The fields of each server; the name of one that stands alone is empty. */
    public static void sort(@Nullable Properties answer, Map<String, Properties> servers) {
        if (answer == null) {
            return;
        }
        for (String name : answer.stringPropertyNames()) {
            int end = name.lastIndexOf('.');
            String server = (end > 0 && name.lastIndexOf(':', end) > 0) ? name.substring(0, end) : "";
            String field = server.isEmpty() ? name : name.substring(end + 1);
            servers.computeIfAbsent(server, s -> new Properties()).setProperty(field, answer.getProperty(name));
        }
    }

    public Map<String, Properties> byServer() {
        Map<String, Properties> servers = new TreeMap<>();
        sort(fields, servers);
        return servers;
    }
}
