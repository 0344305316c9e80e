// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.internal.queue.TimingSettings;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties of one queue, or of all queues. Unset properties are inherited.
 *
 * @param shards Number of shards of the queue, 1 to 1024. Tasks migrate when it changes.
 * @param codec Name of the codec that writes payloads.
 * @param lease How long a task belongs to the process that acquired it, 1 ms to 365 days. For a queue with an exchange,
 *     at least twice delayqueue.rabbit.confirm-timeout.
 * @param maxLeaseExpiries How many leases of a task may expire, for example because processes crash; one more makes the
 *     task dead. With 0 and retry.max-retries: 0, a handler begins at most
 *     once.
 * @param retry Retries of failed deliveries.
 * @param dead Retention of dead tasks.
 * @param trigger Scans and deliveries of due tasks in this process.
 * @param rabbit Exchange for due tasks.
 * @param minReplicas How many replicas of the Redis master must confirm a call that schedules, changes or cancels
 *     tasks before it returns, 0 to 16. A request can override it.
 * @param handler Execution of the queue's handler, if there is one.
 * @param expiresAfter Maximum lateness of a delivery, 1 ms to 3650 days. Later tasks expire. A request can override it.
 *     Default: unlimited.
 * @param expired Treatment of expired tasks: 'dead' keeps them with the reason 'expired' (unless dead.cap is 0),
 *     'delete' deletes them.
 * @param limits Limits of deliveries across all processes.
 * @param history How many history entries each shard of the queue keeps, 0 to 1000000. With 0 there is no history. Each
 *     process uses its own setting when it delivers, cancels or redrives tasks.
 * @param stackTraceSize Maximum size of the stack trace that is stored with a task after a failure, 256B to 16KB. With
 *     0B none is stored.
 * @param window Delivery hours and time zone, such as '09:00-21:00 Europe/Berlin'. After a space you can add days
 *     ('MONDAY,TUESDAY') or the name of a 'WorkingDays' bean ('calendar:germany'). A request can override it. Default:
 *     at any time.
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
        @DefaultValue("0B") DataSize stackTraceSize,
        @Nullable String window) {

    /**
     * Retries of failed deliveries.
     *
     * @param maxRetries Number of retries after the first attempt, at least 0. When the last retry fails, the task is
     *     dead.
     * @param delay Delay before the first retry, 1 ms to 365 days.
     * @param multiplier Factor that multiplies the delay with each retry, 1 to 1000.
     * @param maxDelay Longest delay, from retry.delay to 365 days. With the defaults, retries take about a day.
     * @param jitter Share of the delay that is random, from 0 to 1.
     * @param excludes Exceptions of handlers, including subclasses, that make a task dead at once. A listener adds its
     *     own with 'ListenerRetry.excludes'.
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
     * @param retention How long a dead task is kept, 1 minute to 3650 days.
     * @param cap Maximum number of dead tasks, over all shards. The library deletes those that died first, but none
     *     while tasks migrate. With 0, it deletes a task when it dies. It still publishes an event for each death, but
     *     does not log all reasons, and it keeps unreadable data. Must not be 0 together with dead.exchange.
     * @param exchange RabbitMQ exchange to which dead tasks are forwarded, at most 255 bytes. The empty name is the
     *     broker's default exchange, so a queue cannot undo an inherited exchange. Default: dead tasks stay in Redis.
     * @param routingKey Routing key for dead tasks, at most 255 bytes. Default: the queue's name.
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
     *     schedules tasks, or that calls the trigger from its own scheduler. With false, no listener of the queue
     *     starts, whatever its 'autoStartup', and this process forwards no dead tasks.
     * @param concurrency Maximum number of batches that this process delivers at the same time, 1 to 10000. To
     *     RabbitMQ, four more batches may wait for confirms.
     * @param threadNamePrefix Prefix of the names of the trigger's threads, at most 100 printable ASCII characters.
     *     Default: derived from the queue's name.
     * @param batchSize Maximum number of tasks that a thread acquires and delivers together, 1 to 500. While handlers
     *     are slow, the thread takes only as many tasks as it will probably start within 200 ms.
     * @param maxIdleInterval Longest sleep of the trigger between two scans of a shard, 1 ms to 365 days. While wake
     *     signals arrive and the shard is idle, the sleep is up to twelve times as long.
     * @param shutdownTimeout How long a stop waits for running deliveries, 1 ms to 365 days.
     */
    public record Trigger(
            @DefaultValue("true") boolean autoStartup,
            @DefaultValue("4") int concurrency,
            @Nullable String threadNamePrefix,
            @DefaultValue("200") int batchSize,
            @DefaultValue("5s") Duration maxIdleInterval,
            @DefaultValue("10s") Duration shutdownTimeout) {}

    /**
     * Limits of deliveries across all processes. If their limits differ, the lower ones apply.
     *
     * @param rate Maximum rate of all tasks of the queue, across all processes and shards, such as '200/s' or '200/s
     *     burst 50'. Default: unlimited.
     * @param rateWhenOverdue Maximum rate of tasks that are overdue by more than a second, across all processes, such
     *     as '100/s'. It limits the load after an outage. Tasks that become due later wait until the overdue ones are
     *     delivered. Default: unlimited.
     * @param perKey Limits of each key.
     */
    public record Limits(
            @Nullable String rate,
            @Nullable String rateWhenOverdue,
            @DefaultValue PerKey perKey) {}

    /**
     * Limits of the deliveries of each key.
     *
     * @param rate Maximum rate of deliveries per key, across all processes, such as '5/s', '300/m', '100/10m' or '5/s
     *     burst 10'. Default: unlimited.
     * @param concurrency Maximum number of deliveries in progress per key, across all processes; 1 to 1000. Default:
     *     unlimited.
     */
    public record PerKey(@Nullable String rate, @Nullable Integer concurrency) {}

    /**
     * Execution of the queue's handler, if there is one.
     *
     * @param timeout How long an attempt of the queue's handler may take, 1 ms to 365 days. After that its thread is
     *     interrupted, and the attempt fails. Default: unlimited.
     */
    public record Handler(@Nullable Duration timeout) {}

    /**
     * Exchange for due tasks.
     *
     * @param exchange Exchange for the queue's tasks, at most 255 bytes. The empty name is the broker's default
     *     exchange. The library creates a trigger for such a queue; code can choose another exchange for each task.
     * @param routingKey Routing key to publish with, at most 255 bytes. Default: the queue's name.
     * @param countNacks Whether a nack from the broker, for example because a queue is full, counts as a failed
     *     attempt. Otherwise the task waits until the broker accepts messages for its address again.
     * @param declare Declarations on the broker.
     */
    public record Rabbit(
            @Nullable String exchange,
            @Nullable String routingKey,
            @DefaultValue("false") boolean countNacks,
            @DefaultValue Declare declare) {}

    /**
     * Declarations on the broker, all durable. Nothing is declared without an exchange type.
     *
     * @param exchangeType Type of the exchange to declare, such as 'direct'. Without it, the library declares nothing.
     * @param queue Name of a RabbitMQ queue to declare and bind to the exchange.
     * @param bindingKey Binding key of that queue. Default: the routing key.
     */
    public record Declare(
            @Nullable String exchangeType,
            @Nullable String queue,
            @Nullable String bindingKey) {}
}
