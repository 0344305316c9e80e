// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.queue.TimingSettings;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the properties say about one queue, or about all of them. What is absent is inherited.
 *
 * @param shards Number of shards over which the queue is spread, at most 1024. Tasks migrate when it changes.
 * @param codec Name of the codec that writes payloads.
 * @param lease How long an acquired task belongs to the process that acquired it.
 * @param maxLeaseExpiries How many leases of one task may expire before it is dead.
 * @param retry When failed deliveries are tried again.
 * @param dead How long and how many dead tasks are kept.
 * @param trigger How due tasks are scanned for in this process.
 * @param rabbit Where due tasks are published.
 * @param minReplicas Number of replicas of the Redis master that must have a task that is scheduled, cancelled or
 *     rescheduled before the call returns. None by default.
 * @param handler How the handler of the queue's tasks runs, where it has one.
 * @param expiresAfter How long a task may be overdue when it is delivered, unless it says so itself. Unlimited by default.
 * @param expired What becomes of a task that is overdue by more: it is kept as a dead task ('dead') or deleted
 *     ('delete').
 * @param history Number of history entries that each shard keeps. No history is kept by default.
 * @param window Hours and zone in which tasks are delivered whose requests name none, such as '09:00-21:00
 *     Europe/Berlin', and behind them days ('MONDAY,TUESDAY') or the name of a WorkingDays bean ('calendar:name'). At any
 *     time by default.
 */
public record QueueProperties(
        @DefaultValue("1") int shards,
        @DefaultValue("json") String codec,
        @DefaultValue("30s") Duration lease,
        @DefaultValue("10") int maxLeaseExpiries,
        @DefaultValue Retry retry,
        @DefaultValue Dead dead,
        @DefaultValue Trigger trigger,
        @DefaultValue Rabbit rabbit,
        @DefaultValue("0") int minReplicas,
        @DefaultValue Handler handler,
        @Nullable Duration expiresAfter,
        @DefaultValue("dead") TimingSettings.Expired expired,
        @DefaultValue("0") int history,
        @Nullable String window) {

    /**
     * When failed deliveries are tried again.
     *
     * @param maxRetries Number of retries after the first attempt. When the last one fails the task is dead.
     * @param delay Delay before the first retry.
     * @param multiplier Factor by which the delay grows with each retry.
     * @param maxDelay Longest delay.
     * @param jitter Share of the delay that is drawn at random, from 0 to 1.
     * @param excludes Exceptions of handlers, with their subclasses, after which a task is dead at once.
     */
    public record Retry(
            @DefaultValue("35") int maxRetries,
            @DefaultValue("1s") Duration delay,
            @DefaultValue("2.0") double multiplier,
            @DefaultValue("1h") Duration maxDelay,
            @DefaultValue("0.2") double jitter,
            @DefaultValue Set<Class<? extends Throwable>> excludes) {}

    /**
     * Whether, how long and how many dead tasks are kept. What is deleted is logged and counted.
     *
     * @param retention How long a dead task is kept.
     * @param cap Maximum number of dead tasks that are kept. The longest dead are deleted first. With 0 a task is deleted
     *     when it dies.
     * @param exchange Exchange of RabbitMQ that dead tasks are forwarded to. They stay in Redis by default.
     * @param routingKey Routing key to forward them with. The queue's name by default.
     */
    public record Dead(
            @DefaultValue("90d") Duration retention,
            @DefaultValue("100000") int cap,
            @Nullable String exchange,
            @Nullable String routingKey) {}

    /**
     * How due tasks are scanned for in this process.
     *
     * @param autoStartup Whether the trigger starts with the application. Set it to false in a process that only
     *     schedules, or whose own scheduler drives the trigger. Then no listener of the queue starts either, and this
     *     process forwards no dead tasks.
     * @param concurrency Maximum number of batches that are delivered at the same time.
     * @param threadNamePrefix How the names of the trigger's threads begin. Made from the queue's name by default.
     * @param batchSize Maximum number of tasks that are acquired and delivered together, at most 500.
     * @param maxIdleInterval Longest sleep of the trigger between two scans of a shard.
     * @param shutdownTimeout How long a stop waits for running deliveries.
     * @param lookAhead How long before its due time a task may be acquired, so that it is delivered on the millisecond.
     *     At most 100ms.
     * @param catchUpRate Maximum number of overdue tasks that the queue delivers in a second, such as after an outage.
     *     Unlimited by default.
     */
    public record Trigger(
            @DefaultValue("true") boolean autoStartup,
            @DefaultValue("4") int concurrency,
            @Nullable String threadNamePrefix,
            @DefaultValue("200") int batchSize,
            @DefaultValue("5s") Duration maxIdleInterval,
            @DefaultValue("10s") Duration shutdownTimeout,
            @DefaultValue("0ms") Duration lookAhead,
            @Nullable Integer catchUpRate) {}

    /**
     * How the handler of the queue's tasks runs, where it has one.
     *
     * @param timeout How long one attempt of the handler may take. Unlimited by default.
     */
    public record Handler(@Nullable Duration timeout) {}

    /**
     * Where due tasks are published.
     *
     * @param exchange Exchange to publish to. A queue that has one gets its trigger by itself.
     * @param routingKey Routing key to publish with. The queue's name by default.
     * @param connectionFactory Name or qualifier of the ConnectionFactory bean to whose broker the queue's tasks, dead
     *     ones and declarations go. That of the application by default.
     * @param countNacks Whether a nack of the broker, as by a queue that is full, is a failed attempt. Otherwise the
     *     task waits until the broker takes messages there again.
     * @param declare What to declare on the broker.
     */
    public record Rabbit(
            @Nullable String exchange,
            @Nullable String routingKey,
            @Nullable String connectionFactory,
            @DefaultValue("false") boolean countNacks,
            @DefaultValue Declare declare) {}

    /**
     * What to declare on the broker, all of it durable. Nothing is declared unless the type of the exchange is given.
     *
     * @param exchangeType Type of the exchange to declare, such as 'direct'. Nothing is declared without it.
     * @param queue Name of a broker's queue to declare and to bind to the exchange.
     * @param bindingKey Key under which that queue is bound. The routing key by default.
     */
    public record Declare(
            @Nullable String exchangeType,
            @Nullable String queue,
            @Nullable String bindingKey) {}
}
