// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.server;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Queries the statistics of a Redis server on a separate connection; for a cluster, the statistics of one node or of
 * all nodes.
 */
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
     * Returns the calls of each command since the server started, from {@code INFO commandstats}. Includes commands in
     * scripts and the EVALSHA calls. Excludes INFO, which only this gauge sends.
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

    /**
     * Returns the size of the data in bytes, without the buffers of connections and the server's own structures, which
     * include its keys.
     */
    public long datasetBytes() {
        return memory("used_memory_dataset:");
    }

    /** Returns the memory that the server has allocated, in bytes. */
    public long usedBytes() {
        return memory("used_memory:");
    }

    private long memory(String name) {
        return number(connection.sync().info("memory"), name);
    }

    /** Returns the processor time of the server, or of all nodes of the cluster, since the start, in microseconds. */
    public long cpuMicros() {
        return nodes.stream()
                .map(node -> node.sync().info("cpu"))
                .mapToLong(cpu -> micros(cpu, "used_cpu_user:") + micros(cpu, "used_cpu_sys:"))
                .sum();
    }

    /** Makes the server record calls that take a millisecond or more, and deletes earlier records. */
    public void noteSlowCalls() {
        connection.sync().configSet("slowlog-log-slower-than", "1000");
        connection.sync().configSet("slowlog-max-len", "100000");
        connection.sync().slowlogReset();
    }

    /** Returns the recorded calls. */
    public List<SlowCall> slowCalls() {
        return connection.sync().slowlogGet(100_000).stream()
                .map(entry -> {
                    List<?> fields = (List<?>) entry;
                    return new SlowCall((Long) fields.get(2), String.valueOf(fields.get(3)));
                })
                .toList();
    }

    /**
     * A slow call.
     *
     * @param micros its duration
     * @param command the command and the first of its arguments
     */
    public record SlowCall(long micros, String command) {

        /** Returns whether this call is a script and not a command in a script. Redis records both. */
        public boolean isScript() {
            return command.startsWith("[EVAL");
        }
    }

    /** Parses seconds with six decimals. */
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
