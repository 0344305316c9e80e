// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

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
 * @param enabled Whether the delay queues are in use. If not, nothing is connected to or delivered, and every call fails.
 * @param keyPrefix First part of every Redis key and channel. Applications that share queues must share it.
 * @param redis The library's own connection to Redis.
 * @param maxPayloadSize Maximum size of the encoded payload of a task.
 * @param maxHeaderSize Maximum size of all header names and values of a task together.
 * @param maxIdLength Maximum number of bytes of a task's id in UTF-8, with its key and group.
 * @param defaults The settings of every queue that does not say otherwise.
 * @param queues The queues by name. A queue inherits from the defaults what it does not set.
 * @param rabbit The library's own connection to RabbitMQ.
 * @param transactions What becomes of a call to schedule, cancel, reschedule or update that is made within a transaction of the
 *     application.
 * @param metrics What is measured of the queues.
 * @param health What the health of the queues is.
 * @param tracing How deliveries are traced.
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

    /** Returns the properties of a queue, or the defaults for a queue that is not configured. */
    public QueueProperties queue(String name) {
        return queues.getOrDefault(name, defaults);
    }

    /**
     * How deliveries are traced, where there is a tracer.
     *
     * @param delivery What a delivery has to do with the trace in which its task was scheduled: a new trace with a link to
     *     it, or the same one.
     */
    public record Tracing(@DefaultValue("link") Delivery delivery) {

        /** What a delivery has to do with the trace in which its task was scheduled. */
        public enum Delivery {
            /** It is a new trace, with a link to that one. */
            LINK,
            /** It continues that one. */
            CONTINUE
        }
    }

    /**
     * The health of the queues.
     *
     * @param overdueLimit How long a due task of a queue that is not paused may wait until the health contributor
     *     'delayqueue' is DOWN.
     */
    public record Health(@DefaultValue("5m") Duration overdueLimit) {}

    /**
     * What is measured of the queues, where there is a meter registry.
     *
     * @param interval How often each process counts the tasks of each queue in Redis for its gauges. A queue of more shards
     *     than this has seconds takes a second for each.
     */
    public record Metrics(@DefaultValue("15s") Duration interval) {}

    /**
     * The library's own connection to Redis. Without a server here it uses those of the application.
     *
     * @param url Address of the Redis that keeps the tasks, such as redis://user:password@host:6379/0. Replaces host,
     *     port, username and password.
     * @param host Host of the Redis that keeps the tasks.
     * @param port Port of the Redis that keeps the tasks. The default is 6379.
     * @param username User name at that Redis.
     * @param password Password at that Redis.
     * @param database Number of the database there.
     * @param clientName Name of the connections in the tools of Redis, followed by '-delayqueue'.
     * @param ssl Encryption of the connections to that Redis.
     * @param sentinel Sentinels that name the Redis that keeps the tasks.
     * @param cluster Redis Cluster that keeps the tasks.
     * @param connectionFactory Name or qualifier of the RedisConnectionFactory bean whose servers keep the tasks. The
     *     only or primary one of Lettuce by default.
     * @param commandTimeout How long a command, or connecting, may take. A call that takes longer fails.
     * @param requestQueueSize Maximum number of commands that wait for an answer on one connection, and of
     *     asynchronous calls that do. One more is refused, and so is an asynchronous call when 64 MiB of them
     *     wait.
     * @param heartbeat How often a process tells the others of its queues that it is there. A process that is silent
     *     for two and a half of these loses its shards to the others.
     * @param check What to do at start about a Redis server that may lose tasks (one older than 6.2, or one that evicts
     *     keys), or that lacks what calls need.
     * @param replicasTimeout How long a call that asks for replicas waits for them. At most a quarter of the command
     *     time-out, which is the default.
     * @param report Whether to log at start what the Redis servers promise: what a crash or a failover of them loses.
     *     Not with check: off.
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
            @Nullable Duration replicasTimeout,
            @DefaultValue("true") boolean report) {

        /**
         * Encryption of the connections to Redis.
         *
         * @param enabled Whether to encrypt. By default, if there is a bundle or the url begins with 'rediss'.
         * @param bundle Name of the SSL bundle with the certificates.
         */
        public record Ssl(
                @Nullable Boolean enabled, @Nullable String bundle) {}

        /**
         * Sentinels that name the Redis.
         *
         * @param master Name by which the Sentinels know the master.
         * @param nodes Addresses of the Sentinels, each as host:port.
         * @param username User name at the Sentinels.
         * @param password Password at the Sentinels.
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

    /** What to do about a server that may lose tasks. */
    public enum Check {
        /** The application does not start. */
        FAIL,
        /** A warning is logged. */
        WARN,
        /** The server is not looked at. */
        OFF
    }

    /**
     * The library's own connection to RabbitMQ: the servers, credentials and TLS of {@code spring.rabbitmq}, bounded by
     * these.
     *
     * @param enabled Whether this process has anything to do with RabbitMQ. If not, queues with an exchange wait for
     *     another process, as in a test of handlers.
     * @param confirmTimeout How long to wait for the broker's confirms. At most half the lease of a queue with an exchange.
     * @param intake Queues of the broker whose messages are stored and published when they are due, by name.
     * @param replaceDelayedExchanges Whether exchanges that the application declares with the type of the delayed message
     *     exchange plugin are declared as intakes instead.
     */
    public record Rabbit(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("5s") Duration confirmTimeout,
            @DefaultValue Map<String, Intake> intake,
            @DefaultValue("false") boolean replaceDelayedExchanges) {}

    /**
     * A queue of the broker whose messages are stored and published when they are due.
     *
     * @param enabled Whether this process consumes the queue. If not, another one does.
     * @param queue Name of the queue. The default is the intake's name with '.intake'.
     * @param exchange Exchange for messages that are due. The default is the intake's name with '.due'.
     * @param exchangeType Type of that exchange, such as direct or topic. If set, the library declares it, the queue, and
     *     an exchange of the intake's name that leads to the queue.
     * @param delayQueue Delay queue that stores the messages.
     * @param taskHeaders Whether published messages carry the dq- headers that identify their tasks.
     */
    public record Intake(
            @DefaultValue("true") boolean enabled,
            @Nullable String queue,
            @Nullable String exchange,
            @Nullable String exchangeType,
            @DefaultValue(DEFAULT_DELAY_QUEUE) String delayQueue,
            @DefaultValue("false") boolean taskHeaders) {

        /** The delay queue of every intake that names none. */
        public static final String DEFAULT_DELAY_QUEUE = "intake";
    }
}
