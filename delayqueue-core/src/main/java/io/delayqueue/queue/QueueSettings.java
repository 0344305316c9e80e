// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import io.delayqueue.codec.JacksonPayloadCodec;
import java.time.Duration;

/**
 * The settings of one queue.
 *
 * @param name its name
 * @param shards number of shards over which it is spread, at least 1
 * @param codec name of the codec that writes its payloads
 * @param lease how long an acquired task belongs to the process that acquired it
 * @param maxLeaseExpiries how many leases of one task may expire before it is dead; 0 if a delivery that may have begun
 *     must not begin again by itself, neither after a crash nor after a stop that broke it off
 * @param retry when failed deliveries are tried again
 * @param trigger how its trigger runs
 * @param dead how long and how many dead tasks it keeps
 * @param replicas number of replicas of the Redis master that must have a task that is scheduled, cancelled or
 *     rescheduled before the call returns, unless a request says otherwise; 0 for none
 * @param handler how its handler runs, where it has one
 * @param order in which order its tasks come that could come at the same time
 */
public record QueueSettings(
        String name,
        int shards,
        String codec,
        Duration lease,
        int maxLeaseExpiries,
        RetryPolicy retry,
        TriggerSettings trigger,
        DeadSettings dead,
        int replicas,
        HandlerSettings handler,
        OrderSettings order) {

    /** The highest number of replicas. Nobody has more, so a larger number is a mistake. */
    public static final int MOST_REPLICAS = 16;

    public QueueSettings {
        QueueNames.check(name);
        String its = "Queue '" + name + "': its ";
        Bound.SHARDS.check(its + "shards", shards);
        Bound.LEASE.check(its + "lease", lease);
        Bound.MAX_LEASE_EXPIRIES.check(its + "max-lease-expiries", maxLeaseExpiries);
        Bound.REPLICAS.check(its + "replicas", replicas);
    }

    /** A queue whose handler may take as long as it likes, and that asks for no order among equals. */
    public QueueSettings(
            String name,
            int shards,
            String codec,
            Duration lease,
            int maxLeaseExpiries,
            RetryPolicy retry,
            TriggerSettings trigger,
            DeadSettings dead,
            int replicas) {
        this(
                name,
                shards,
                codec,
                lease,
                maxLeaseExpiries,
                retry,
                trigger,
                dead,
                replicas,
                HandlerSettings.DEFAULT,
                OrderSettings.NONE);
    }

    /** A queue for which the answer of the master is enough. */
    public QueueSettings(
            String name,
            int shards,
            String codec,
            Duration lease,
            int maxLeaseExpiries,
            RetryPolicy retry,
            TriggerSettings trigger,
            DeadSettings dead) {
        this(name, shards, codec, lease, maxLeaseExpiries, retry, trigger, dead, 0);
    }

    /** A queue that keeps all its dead tasks. */
    public QueueSettings(
            String name,
            int shards,
            String codec,
            Duration lease,
            int maxLeaseExpiries,
            RetryPolicy retry,
            TriggerSettings trigger) {
        this(name, shards, codec, lease, maxLeaseExpiries, retry, trigger, DeadSettings.KEEP_ALL);
    }

    /** Whether a delivery that may have begun makes the task dead instead of due again. */
    public boolean beginsAtMostOnce() {
        return maxLeaseExpiries == 0;
    }

    /** The same queue with another order among tasks that could come at the same time. */
    public QueueSettings withOrder(OrderSettings other) {
        return new QueueSettings(
                name, shards, codec, lease, maxLeaseExpiries, retry, trigger, dead, replicas, handler, other);
    }

    /** A queue with the defaults: one shard, JSON, a lease of 30 s, ten lease expiries, and every dead task kept. */
    public static QueueSettings withDefaults(String name) {
        return new QueueSettings(
                name,
                1,
                JacksonPayloadCodec.NAME,
                Duration.ofSeconds(30),
                10,
                RetryPolicy.DEFAULT,
                TriggerSettings.DEFAULT);
    }
}
