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
 * @param enabled Whether to enable the delay queues. If false, the library neither connects nor delivers, and every
 *     call fails.
 * @param keyPrefix First part of every Redis key and channel. Applications that share queues must use the same prefix.
 * @param redis The library's own connection to Redis.
 * @param maxPayloadSize Maximum size of the encoded payload of a task.
 * @param maxHeaderSize Maximum size of all header names and values of a task together.
 * @param maxIdLength Maximum number of bytes of a task's id in UTF-8, with its key and group.
 * @param defaults Default settings of all queues.
 * @param queues The queues by name. A queue inherits unset properties from the defaults. For a queue without settings,
 *     set delayqueue.queues.name to an empty value.
 * @param rabbit The library's own connection to RabbitMQ.
 * @param transactions How to make calls that schedule, cancel, reschedule or update tasks within a transaction of the
 *     application.
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

    /** Returns the names of the delay queues of all intakes. They need not be configured. */
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
     * @param delivery Whether a delivery starts a new trace with a link to the trace of the schedule call, or continues
     *     that trace.
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
     * @param overdueLimit How long a due task of a queue that is not paused may wait until the health contributor
     *     'delayqueue' is DOWN.
     * @param expectedDifferences Queues whose processes may differ in application, destination, lease, limits or
     *     shards, or that no process needs to deliver. These differences cause no warning, no health detail and no
     *     notice in the console.
     */
    public record Health(
            @DefaultValue("5m") Duration overdueLimit,
            @DefaultValue List<String> expectedDifferences) {}

    /**
     * Metrics of the queues, if there is a meter registry.
     *
     * @param interval How often each process counts the tasks of each queue in Redis for its gauges. Each shard takes a
     *     second, so a queue with many shards may take longer than this interval.
     */
    public record Metrics(@DefaultValue("15s") Duration interval) {}

    /**
     * The library's own connection to Redis. Without a server here, it uses the application's servers.
     *
     * @param url Address of the Redis that stores the tasks, such as redis://user:password@host:6379/0. Overrides host,
     *     port, username and password.
     * @param host Host of the Redis that stores the tasks.
     * @param port Port of the Redis that stores the tasks. Default: 6379.
     * @param username User name for that Redis.
     * @param password Password for that Redis.
     * @param database Database number.
     * @param clientName Name of the connections in Redis tools. '-delayqueue' is appended.
     * @param ssl Encryption of the connections to that Redis.
     * @param sentinel Sentinels of the Redis that stores the tasks.
     * @param cluster Redis Cluster that stores the tasks.
     * @param connectionFactory Name or qualifier of the RedisConnectionFactory bean whose servers store the tasks.
     *     Default: the only or primary factory for Lettuce.
     * @param commandTimeout Maximum duration of a command or of connecting. A call that takes longer fails.
     * @param requestQueueSize Maximum number of commands, and of asynchronous calls, that wait for a reply on one
     *     connection. Further commands and calls are refused. Asynchronous calls are also refused while 64 MiB of them
     *     wait.
     * @param heartbeat Interval at which a process announces itself to the other processes of its queues. After two and
     *     a half intervals without an announcement, other processes take over its shards.
     * @param check What to do at start if a Redis server may lose tasks (older than 6.2, or with key eviction) or lacks
     *     required commands.
     * @param replicasTimeout How long a call that requires replicas waits for them. At most a quarter of the command
     *     time-out, which is the default.
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
         * @param enabled Whether to encrypt. Default: true if there is a bundle or the url begins with 'rediss'.
         * @param bundle Name of the SSL bundle with the certificates.
         */
        public record Ssl(
                @Nullable Boolean enabled, @Nullable String bundle) {}

        /**
         * Sentinels of the Redis.
         *
         * @param master Name of the master in the Sentinels.
         * @param nodes Addresses of the Sentinels, each as host:port.
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
         * @param nodes Addresses of some nodes, each as host:port.
         * @param maxRedirects Maximum number of redirects that a command follows.
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
     * The library's own connection to RabbitMQ. It uses the servers, credentials and TLS of {@code spring.rabbitmq}
     * with these settings.
     *
     * @param enabled Whether this process uses RabbitMQ. If false, for example in a test of handlers, the tasks of
     *     queues with an exchange wait for another process.
     * @param confirmTimeout Maximum wait for the broker's confirms. At most half the lease of a queue with an exchange.
     * @param intake Intakes by name: queues of the broker whose messages are stored, and published when they are due.
     * @param replaceDelayedExchanges Whether exchanges that the application declares with the type of the delayed
     *     message exchange plugin are declared as intakes instead.
     */
    public record Rabbit(
            @DefaultValue("true") boolean enabled,
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
