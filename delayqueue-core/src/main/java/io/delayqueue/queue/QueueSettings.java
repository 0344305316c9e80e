// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import io.delayqueue.codec.JacksonPayloadCodec;
import java.time.Duration;

/**
 * The settings of one queue.
 *
 * @param name its name
 * @param shards over how many keys it spreads, at least 1
 * @param codec name of the codec that writes its payloads
 * @param lease how long an acquired task is its trigger's
 * @param maxLeaseExpiries leases of one task that may run out before it is dead
 * @param retry when failed deliveries are tried again
 * @param trigger how its trigger runs
 * @param dead how long and how many dead tasks it keeps
 */
public record QueueSettings(
        String name,
        int shards,
        String codec,
        Duration lease,
        int maxLeaseExpiries,
        RetryPolicy retry,
        TriggerSettings trigger,
        DeadSettings dead) {

    public QueueSettings {
        QueueNames.check(name);
    }

    /** One that keeps all its dead tasks. */
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
