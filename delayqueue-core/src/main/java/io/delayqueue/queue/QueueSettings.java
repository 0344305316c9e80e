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
 * @param minReplicas number of replicas of the Redis master that must have a task that is scheduled, cancelled or
 *     rescheduled before the call returns, unless a request says otherwise; 0 for none
 * @param handler how its handler runs, where it has one
 * @param timing when its tasks are too late to be delivered
 * @param history how many entries its history has for each shard, of what became of its tasks; 0 for no history
 */
public record QueueSettings(
        String name,
        int shards,
        String codec,
        Duration lease,
        int maxLeaseExpiries,
        RetrySettings retry,
        TriggerSettings trigger,
        DeadSettings dead,
        int minReplicas,
        HandlerSettings handler,
        TimingSettings timing,
        int history) {

    /** The highest number of replicas. Nobody has more, so a larger number is a mistake. */
    public static final int MOST_REPLICAS = 16;

    public QueueSettings {
        QueueNames.check(name);
        String its = "Queue '" + name + "': its ";
        Bound.SHARDS.check(its + "shards", shards);
        Bound.LEASE.check(its + "lease", lease);
        Bound.MAX_LEASE_EXPIRIES.check(its + "max-lease-expiries", maxLeaseExpiries);
        Bound.REPLICAS.check(its + "min-replicas", minReplicas);
        Bound.HISTORY.check(its + "history", history);
    }

    /** Whether a delivery that may have begun makes the task dead instead of due again. */
    public boolean beginsAtMostOnce() {
        return maxLeaseExpiries == 0;
    }

    /**
     * Returns a queue with the defaults: one shard, JSON, a lease of 30 s, ten lease expiries, retries for about a day, dead
     * tasks kept for 90 days and up to 100,000 of them, handlers without a time limit.
     */
    public static QueueSettings withDefaults(String name) {
        return new QueueSettings(
                name,
                1,
                JacksonPayloadCodec.NAME,
                Duration.ofSeconds(30),
                10,
                RetrySettings.DEFAULT,
                TriggerSettings.DEFAULT,
                DeadSettings.DEFAULT,
                0,
                HandlerSettings.DEFAULT,
                TimingSettings.NONE,
                0);
    }

    /** Settings of a queue that are the defaults until they are set. */
    public static Builder builder(String name) {
        return withDefaults(name).toBuilder();
    }

    /** Settings of the same queue that are these until they are set. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Collects the settings of a queue. What each means and how far it may go is said at {@link QueueSettings}. */
    public static final class Builder {

        private final String name;
        private int shards;
        private String codec;
        private Duration lease;
        private int maxLeaseExpiries;
        private RetrySettings retry;
        private TriggerSettings trigger;
        private DeadSettings dead;
        private int minReplicas;
        private HandlerSettings handler;
        private TimingSettings timing;
        private int history;

        private Builder(QueueSettings settings) {
            this.name = settings.name;
            this.shards = settings.shards;
            this.codec = settings.codec;
            this.lease = settings.lease;
            this.maxLeaseExpiries = settings.maxLeaseExpiries;
            this.retry = settings.retry;
            this.trigger = settings.trigger;
            this.dead = settings.dead;
            this.minReplicas = settings.minReplicas;
            this.handler = settings.handler;
            this.timing = settings.timing;
            this.history = settings.history;
        }

        public Builder shards(int shards) {
            this.shards = shards;
            return this;
        }

        public Builder codec(String codec) {
            this.codec = codec;
            return this;
        }

        public Builder lease(Duration lease) {
            this.lease = lease;
            return this;
        }

        public Builder maxLeaseExpiries(int maxLeaseExpiries) {
            this.maxLeaseExpiries = maxLeaseExpiries;
            return this;
        }

        public Builder retry(RetrySettings retry) {
            this.retry = retry;
            return this;
        }

        public Builder trigger(TriggerSettings trigger) {
            this.trigger = trigger;
            return this;
        }

        public Builder dead(DeadSettings dead) {
            this.dead = dead;
            return this;
        }

        public Builder minReplicas(int minReplicas) {
            this.minReplicas = minReplicas;
            return this;
        }

        public Builder handler(HandlerSettings handler) {
            this.handler = handler;
            return this;
        }

        public Builder timing(TimingSettings timing) {
            this.timing = timing;
            return this;
        }

        public Builder history(int history) {
            this.history = history;
            return this;
        }

        /** @throws IllegalArgumentException if one of them is out of its bounds */
        public QueueSettings build() {
            return new QueueSettings(
                    name,
                    shards,
                    codec,
                    lease,
                    maxLeaseExpiries,
                    retry,
                    trigger,
                    dead,
                    minReplicas,
                    handler,
                    timing,
                    history);
        }
    }
}
