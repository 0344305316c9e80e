// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.internal.queue.TimingSettings;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of one queue, or of all queues. Unset properties are inherited.
 *
 * @param shards Number of shards of the queue, at most 1024. If the number changes, tasks migrate to their new shards.
 * @param codec Name of the codec that writes payloads.
 * @param lease How long an acquired task belongs to the process that acquired it.
 * @param maxLeaseExpiries Maximum number of lease expiries of one task. One more makes it dead.
 * @param retry Retries of failed deliveries.
 * @param dead Retention of dead tasks.
 * @param trigger Scans and deliveries of due tasks in this process.
 * @param rabbit Where to publish due tasks.
 * @param minReplicas Number of replicas of the Redis master that must store a scheduled, cancelled or rescheduled task
 *     before the call returns. Default: none.
 * @param handler Execution of the queue's handler, if there is one.
 * @param expiresAfter How long a task may be overdue at delivery, unless its request sets another limit. Default:
 *     unlimited.
 * @param expired What to do with a task that exceeds expires-after: keep it as a dead task ('dead') or delete it
 *     ('delete').
 * @param limits Limits of deliveries across all processes.
 * @param history Number of history entries that each shard keeps. Default: none.
 * @param window Default delivery hours and zone for tasks, such as '09:00-21:00 Europe/Berlin', optionally followed by
 *     days ('MONDAY,TUESDAY') or the name of a WorkingDays bean ('calendar:name'). Default: at any time.
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
        @DefaultValue Limits limits,
        @DefaultValue("0") int history,
        @Nullable String window) {

    /**
     * Retries of failed deliveries.
     *
     * @param maxRetries Number of retries after the first attempt. When the last one fails, the task is dead.
     * @param delay Delay before the first retry.
     * @param multiplier Factor that multiplies the delay with each retry.
     * @param maxDelay Maximum delay.
     * @param jitter Random share by which the delay is shortened, from 0 to 1.
     * @param excludes Exceptions of handlers, including subclasses and causes, that make a task dead without a retry.
     */
    public record Retry(
            @DefaultValue("35") int maxRetries,
            @DefaultValue("1s") Duration delay,
            @DefaultValue("2.0") double multiplier,
            @DefaultValue("1h") Duration maxDelay,
            @DefaultValue("0.2") double jitter,
            @DefaultValue Set<Class<? extends Throwable>> excludes) {}

    /**
     * Retention of dead tasks. Deletions are logged and counted.
     *
     * @param retention How long to keep a dead task.
     * @param cap Maximum number of dead tasks. The oldest are deleted first. With 0 a task is deleted when it dies.
     * @param exchange RabbitMQ exchange to which dead tasks are forwarded. By default they stay in Redis.
     * @param routingKey Routing key for forwarded tasks. Default: the queue's name.
     */
    public record Dead(
            @DefaultValue("90d") Duration retention,
            @DefaultValue("100000") int cap,
            @Nullable String exchange,
            @Nullable String routingKey) {}

    /**
     * Scans and deliveries of due tasks in this process.
     *
     * @param autoStartup Whether the trigger starts with the application. Set it to false in a process that only
     *     schedules, or whose own scheduler calls the trigger. With false, no listener of the queue starts either, and
     *     this process forwards no dead tasks.
     * @param concurrency Maximum number of batches that are delivered at the same time.
     * @param threadNamePrefix Prefix of the trigger's thread names. By default it is derived from the queue's name.
     * @param batchSize Maximum number of tasks that are acquired and delivered together, at most 500.
     * @param maxIdleInterval Maximum time between two scans of a shard.
     * @param shutdownTimeout How long a stop waits for running deliveries.
     * @param lookAhead How long before its due time a task may be acquired, so that it is delivered on the millisecond.
     *     At most 100ms.
     */
    public record Trigger(
            @DefaultValue("true") boolean autoStartup,
            @DefaultValue("4") int concurrency,
            @Nullable String threadNamePrefix,
            @DefaultValue("200") int batchSize,
            @DefaultValue("5s") Duration maxIdleInterval,
            @DefaultValue("10s") Duration shutdownTimeout,
            @DefaultValue("0ms") Duration lookAhead) {}

    /**
     * Limits of deliveries across all processes. If their limits differ, the lower ones apply.
     *
     * @param rate Maximum rate of all tasks of the queue, such as '200/s' or '200/s burst 50'. Default: unlimited.
     * @param rateWhenOverdue Maximum rate of tasks that are overdue by more than a second, for example after an outage,
     *     such as '100/s'. Default: unlimited.
     * @param perKey Limits of each key.
     */
    public record Limits(
            @Nullable String rate,
            @Nullable String rateWhenOverdue,
            @DefaultValue PerKey perKey) {}

    /**
     * Limits of the deliveries of each key.
     *
     * @param rate Maximum rate of the tasks of a key, such as '5/s' or '5/s burst 10'. Default: unlimited.
     * @param concurrency Maximum number of deliveries of a key in progress at the same time. Default: unlimited.
     */
    public record PerKey(@Nullable String rate, @Nullable Integer concurrency) {}

    /**
     * Execution of the queue's handler, if there is one.
     *
     * @param timeout Maximum duration of one attempt of the handler. After this time the handler's thread is
     *     interrupted, and the attempt has failed. Default: unlimited.
     */
    public record Handler(@Nullable Duration timeout) {}

    /**
     * Where to publish due tasks.
     *
     * @param exchange Exchange to publish to. A queue with an exchange needs no trigger bean.
     * @param routingKey Routing key. Default: the queue's name.
     * @param connectionFactory Name or qualifier of the ConnectionFactory bean for the queue's tasks, dead tasks and
     *     declarations. Default: the application's ConnectionFactory.
     * @param countNacks Whether a nack of the broker, for example from a full queue, counts as a failed attempt.
     *     If not, the task waits until the broker accepts messages for that address again.
     * @param declare What to declare on the broker.
     */
    public record Rabbit(
            @Nullable String exchange,
            @Nullable String routingKey,
            @Nullable String connectionFactory,
            @DefaultValue("false") boolean countNacks,
            @DefaultValue Declare declare) {}

    /**
     * Declarations on the broker, all durable. Nothing is declared without an exchange type.
     *
     * @param exchangeType Type of the exchange to declare, such as 'direct'. Nothing is declared without it.
     * @param queue Name of a RabbitMQ queue to declare and to bind to the exchange.
     * @param bindingKey Binding key of that queue. Default: the routing key.
     */
    public record Declare(
            @Nullable String exchangeType,
            @Nullable String queue,
            @Nullable String bindingKey) {}
}
