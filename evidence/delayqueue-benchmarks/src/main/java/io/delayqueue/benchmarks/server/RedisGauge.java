// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Asks a Redis server about itself, over a connection of its own; of a cluster one node, or all of them. */
public final class RedisGauge implements AutoCloseable {

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final List<StatefulRedisConnection<String, String>> nodes;

    public RedisGauge(Place place) {
        this.client = RedisClient.create();
        this.connection = client.connect(RedisURI.create(place.redis()));
        this.nodes = place.cluster()
                ? ClusterPartitionParser.parse(connection.sync().clusterNodes()).stream()
                        .map(node -> client.connect(node.getUri()))
                        .toList()
                : List.of(connection);
    }

    /**
     * Calls of each command since the server started, by {@code INFO commandstats}. A command that a script runs
     * counts, and so does the EVALSHA that ran the script. INFO itself, which only this gauge sends, is left out.
     */
    public Map<String, CommandCount> commands() {
        Map<String, CommandCount> counts = new TreeMap<>();
        connection.sync().info("commandstats").lines().forEach(line -> {
            if (line.startsWith("cmdstat_") && !line.startsWith("cmdstat_info:")) {
                String name = line.substring("cmdstat_".length(), line.indexOf(':'));
                counts.put(name, new CommandCount(number(line, "calls="), number(line, "usec=")));
            }
        });
        return counts;
    }

    /** Bytes that the data takes, without connections' buffers and the server's own structures: so without its keys. */
    public long datasetBytes() {
        return memory("used_memory_dataset:");
    }

    /** Returns all bytes that the server has allocated. */
    public long usedBytes() {
        return memory("used_memory:");
    }

    private long memory(String name) {
        return number(connection.sync().info("memory"), name);
    }

    /** Processor time that the server, or all nodes of the cluster, have taken since they started, microseconds. */
    public long cpuMicros() {
        return nodes.stream()
                .map(node -> node.sync().info("cpu"))
                .mapToLong(cpu -> micros(cpu, "used_cpu_user:") + micros(cpu, "used_cpu_sys:"))
                .sum();
    }

    /** Has the server note from now on what takes it a millisecond and more; what it noted before is forgotten. */
    public void noteSlowCalls() {
        connection.sync().configSet("slowlog-log-slower-than", "1000");
        connection.sync().configSet("slowlog-max-len", "100000");
        connection.sync().slowlogReset();
    }

    /** Returns the calls that were noted. */
    public List<SlowCall> slowCalls() {
        return connection.sync().slowlogGet(100_000).stream()
                .map(entry -> {
                    List<?> fields = (List<?>) entry;
                    return new SlowCall((Long) fields.get(2), String.valueOf(fields.get(3)));
                })
                .toList();
    }

    /**
     * A call that took long.
     *
     * @param micros how long
     * @param command with the first of its arguments
     */
    public record SlowCall(long micros, String command) {

        /** Not one of the commands that a script runs, which are noted too. */
        public boolean isScript() {
            return command.startsWith("[EVAL");
        }
    }

    /** Of seconds with six digits behind the point. */
    private static long micros(String text, String name) {
        return number(text, name) * 1_000_000 + number(text, name + number(text, name) + ".");
    }

    private static long number(String text, String name) {
        int from = text.indexOf(name) + name.length();
        int to = from;
        while (to < text.length() && Character.isDigit(text.charAt(to))) {
            to++;
        }
        return Long.parseLong(text, from, to, 10);
    }

    @Override
    public void close() {
        client.shutdown(java.time.Duration.ZERO, java.time.Duration.ofSeconds(2));
    }
}
