// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.TransactionMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties of the delay queues.
 *
 * @param enabled Whether the delay queues are enabled. If not, the library does not connect, and refuses every call.
 * @param keyPrefix First part of every Redis key and channel: 1 to 64 letters, digits, '.', '_', ':' or '-'.
 *     Applications that share queues must share it.
 * @param redis The library's own connection to Redis.
 * @param maxPayloadSize Maximum size of the encoded payload of a task, 1 B to 512 MB.
 * @param maxHeaderSize Maximum total size of the header names and values of a task, 1 B to 512 MB.
 * @param maxIdLength Maximum length of a task's id with key and group, in UTF-8 bytes, 1 to 4096.
 * @param defaults Default settings of all queues.
 * @param queues The queues by name. A queue inherits unset properties from the defaults. For a queue without settings,
 *     give its entry an empty value.
 * @param rabbit The library's own connection to RabbitMQ.
 * @param transactions When the library makes a call to schedule, cancel, reschedule or update within a transaction:
 *     'immediate' (at once), 'after-commit' (kept in memory until the commit), 'outbox' (kept in a table of the
 *     database; needs 'delayqueue-jdbc') or 'refuse' (never).
 * @param metrics Metrics of the queues.
 * @param health Health of the queues.
 * @param tracing Tracing of deliveries.
 */
@ConfigurationProperties("delayqueue")
public record DelayQueueProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("dq") String keyPrefix,
        @DefaultValue Redis redis,
        @DefaultValue("256KB") DataSize maxPayloadSize,
        @DefaultValue("8KB") DataSize maxHeaderSize,
        @DefaultValue("256") int maxIdLength,
        @NestedConfigurationProperty @DefaultValue QueueProperties defaults,
        @DefaultValue Map<String, QueueProperties> queues,
        @DefaultValue Rabbit rabbit,
        @DefaultValue("immediate") TransactionMode transactions,
        @DefaultValue Metrics metrics,
        @DefaultValue Health health,
        @DefaultValue Tracing tracing) {

    /** Returns the names of the delay queues of all intakes, including ones that are missing in {@code queues}. */
    public Set<String> intakeQueues() {
        Stream<String> replaced =
                rabbit.replaceDelayedExchanges() ? Stream.of(Intake.DEFAULT_DELAY_QUEUE) : Stream.empty();
        return Stream.concat(replaced, rabbit.intake().values().stream().map(Intake::delayQueue))
                .collect(Collectors.toSet());
    }

    /** Returns the properties of a queue, or the defaults if it is not configured. */
    public QueueProperties queue(String name) {
        return queues.getOrDefault(name, defaults);
    }

    /**
     * Tracing of deliveries, if there is a tracer.
     *
     * @param delivery The trace of a delivery: 'link' starts a new trace with a link to the trace that scheduled the
     *     task; 'continue' continues that trace.
     */
    public record Tracing(@DefaultValue("link") Delivery delivery) {

        /** Relation of a delivery to the trace of the schedule call. */
        public enum Delivery {
            /** Starts a new trace with a link to that trace. */
            LINK,
            /** Continues that trace. */
            CONTINUE
        }
    }

    /**
     * Health of the queues.
     *
     * @param overdueLimit How long a due task may wait before the health contributor is DOWN, 1 ms to 365 days. Paused
     *     queues do not count.
     * @param expectedDifferences Queues whose processes may differ in application, destination, lease, limits or
     *     shards, and queues that no process delivers. These queues cause no warning, no health detail and no notice in
     *     the console. The lower limits also apply to them.
     */
    public record Health(
            @DefaultValue("5m") Duration overdueLimit,
            @DefaultValue List<String> expectedDifferences) {}

    /**
     * Metrics of the queues, if there is a meter registry.
     *
     * @param interval How often each process counts the tasks of each queue in Redis for its gauges, 1 s to 1 h.
     */
    public record Metrics(@DefaultValue("15s") Duration interval) {}

    /**
     * The library's own connection to Redis. If no server is set here, the library connects to the application's
     * servers.
     *
     * @param url Address of the Redis server, such as 'redis://user:password@host:6379/0', or 'rediss://' for TLS.
     *     Replaces host, port, user name, password and database.
     * @param host Host of the Redis server that stores the tasks. Default: that of the application.
     * @param port Port of the Redis server. Default: 6379.
     * @param username User name for the Redis server.
     * @param password Password for the Redis server.
     * @param database Number of the Redis database. Default: 0.
     * @param clientName Name of the connections in Redis, for example in CLIENT LIST, followed by '-delayqueue'.
     *     Default: that of spring.data.redis.
     * @param ssl Encryption of the connections to Redis.
     * @param sentinel Sentinels of the Redis servers that store the tasks.
     * @param cluster Redis Cluster that stores the tasks.
     * @param connectionFactory Name or qualifier of the 'RedisConnectionFactory' bean for the Redis server that stores
     *     the tasks. Default: the only or primary factory of Lettuce.
     * @param commandTimeout How long a command or a connection attempt may take, 1 ms to 365 days. After that the call
     *     fails.
     * @param requestQueueSize Maximum number of commands that wait for a reply on a connection, and of asynchronous
     *     calls that wait; at least 3. Further commands and calls are refused. Asynchronous calls are also refused
     *     while 64 MiB of them wait. This number plus 256 also limits the stages whose attached code runs at the same
     *     time, and the threads for it.
     * @param heartbeat How often a process announces itself to the other processes of its queues, 1 ms to 365 days. If
     *     a process is silent for two and a half intervals, other processes take over its shards.
     * @param check What happens at startup if the Redis server may lose tasks (because it is older than 6.2 or evicts
     *     keys) or does not allow something that calls need: 'fail' fails the start, 'warn' logs a warning, 'off' skips
     *     the check. If Redis is down at startup, the check runs when it answers; with 'fail' the health status is then
     *     DOWN until the check passes.
     * @param replicasTimeout How long a call waits for the replicas that it requires, from 1 ms to a quarter of the
     *     command time-out. Default: a quarter of the command time-out.
     */
    public record Redis(
            @Nullable String url,
            @Nullable String host,
            @Nullable Integer port,
            @Nullable String username,
            @Nullable String password,
            @Nullable Integer database,
            @Nullable String clientName,
            @Nullable Ssl ssl,
            @Nullable Sentinel sentinel,
            @Nullable Cluster cluster,
            @Nullable String connectionFactory,
            @DefaultValue("2s") Duration commandTimeout,
            @DefaultValue("10000") int requestQueueSize,
            @DefaultValue("10s") Duration heartbeat,
            @DefaultValue("fail") Check check,
            @Nullable Duration replicasTimeout) {

        /**
         * Encryption of the connections to Redis.
         *
         * @param enabled Whether connections to the Redis server use TLS. Default: true with a bundle or a 'rediss'
         *     URL.
         * @param bundle SSL bundle with the certificates for the Redis server.
         */
        public record Ssl(
                @Nullable Boolean enabled, @Nullable String bundle) {}

        /**
         * Sentinels of the Redis servers that store the tasks.
         *
         * @param master Name of the master in the Sentinels' configuration.
         * @param nodes Addresses of the Sentinels, each as 'host:port'.
         * @param username User name for the Sentinels.
         * @param password Password for the Sentinels.
         */
        public record Sentinel(
                @Nullable String master,
                @Nullable List<String> nodes,
                @Nullable String username,
                @Nullable String password) {}

        /**
         * A Redis Cluster.
         *
         * @param nodes Addresses of some nodes of the Redis Cluster, each as 'host:port'.
         * @param maxRedirects Maximum number of redirects for a command. Default: 5.
         */
        public record Cluster(
                @Nullable List<String> nodes, @Nullable Integer maxRedirects) {}
    }

    /** Reactions to a server that may lose tasks. */
    public enum Check {
        /** Fails the start. */
        FAIL,
        /** Logs a warning. */
        WARN,
        /** Skips the check. */
        OFF
    }

    /**
     * The library's own connection to RabbitMQ. It uses the servers, credentials and TLS of the application's connection
     * factory with these settings.
     *
     * @param enabled Whether this process uses RabbitMQ. If not, queues with an exchange wait for another process.
     * @param connectionFactory Name or qualifier of the 'ConnectionFactory' bean whose servers, credentials and TLS the
     *     library uses. Default: the only or primary one.
     * @param confirmTimeout How long the library waits for the broker's confirms, 100 ms to 5 minutes.
     * @param intake Queues of the broker whose messages the library stores, and publishes when they are due.
     * @param replaceDelayedExchanges Whether the library turns the delayed exchanges ('x-delayed-message') that the
     *     application declares into intakes.
     */
    public record Rabbit(
            @DefaultValue("true") boolean enabled,
            @Nullable String connectionFactory,
            @DefaultValue("5s") Duration confirmTimeout,
            @DefaultValue Map<String, Intake> intake,
            @DefaultValue("false") boolean replaceDelayedExchanges) {}

    /**
     * A queue of the broker whose messages are stored, and published when they are due.
     *
     * @param enabled Whether this process consumes the queue. If not, another process must.
     * @param queue Name of the queue. The default is the intake's name with '.intake'.
     * @param exchange Exchange for messages that are due. The default is the intake's name with '.due'.
     * @param exchangeType Type of that exchange, such as direct or topic. If set, the library declares this exchange,
     *     the queue, and an exchange with the intake's name that routes to the queue.
     * @param delayQueue Delay queue that stores the messages.
     * @param taskHeaders Whether published messages have the dq- headers that identify their tasks.
     */
    public record Intake(
            @DefaultValue("true") boolean enabled,
            @Nullable String queue,
            @Nullable String exchange,
            @Nullable String exchangeType,
            @DefaultValue(DEFAULT_DELAY_QUEUE) String delayQueue,
            @DefaultValue("false") boolean taskHeaders) {

        /** The default delay queue of an intake. */
        public static final String DEFAULT_DELAY_QUEUE = "intake";
    }
}
