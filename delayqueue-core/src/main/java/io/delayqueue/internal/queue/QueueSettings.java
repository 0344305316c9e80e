// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.input.Bound;
import java.time.Duration;

/**
 * The settings of one queue.
 *
 * @param name its name
 * @param shards number of shards, at least 1
 * @param codec name of the codec that writes its payloads
 * @param lease how long an acquired task belongs to the process that acquired it
 * @param maxLeaseExpiries maximum number of lease expiries of one task, one more makes it dead; 0 if a delivery that
 *     may have started must never restart automatically, neither after a crash nor after a stop that interrupted it
 * @param retry retries of failed deliveries
 * @param trigger settings of its trigger
 * @param dead retention of its dead tasks
 * @param minReplicas number of replicas of the Redis master that must store a scheduled, cancelled or rescheduled task
 *     before the call returns, unless a request overrides it; 0 for none
 * @param handler execution of its handler, if there is one
 * @param timing when its tasks may be delivered
 * @param limits limits of its deliveries across all processes
 * @param history number of history entries per shard; 0 for no history
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
        LimitSettings limits,
        int history) {

    /** The maximum number of replicas. A larger number would be a mistake. */
    public static final int MOST_REPLICAS = Bound.REPLICAS.most();

    public QueueSettings {
        QueueNames.check(name);
        String its = "Queue '" + name + "': its ";
        Bound.SHARDS.check(its + "shards", shards);
        Bound.LEASE.check(its + "lease", lease);
        Bound.MAX_LEASE_EXPIRIES.check(its + "max-lease-expiries", maxLeaseExpiries);
        Bound.REPLICAS.check(its + "min-replicas", minReplicas);
        Bound.HISTORY.check(its + "history", history);
    }

    /** Returns whether a delivery that may have started makes the task dead instead of retrying it. */
    public boolean beginsAtMostOnce() {
        return maxLeaseExpiries == 0;
    }

    /**
     * Returns the default settings: one shard, JSON, a lease of 30 s, ten lease expiries, retries for about a day, up
     * to 100,000 dead tasks kept for 90 days, handlers without a time limit.
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
                LimitSettings.NONE,
                0);
    }

    /** Returns a builder with the default settings. */
    public static Builder builder(String name) {
        return withDefaults(name).toBuilder();
    }

    /** Returns a builder with these settings. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Builder for {@link QueueSettings}, which describes each setting and its bounds. */
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
        private LimitSettings limits;
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
            this.limits = settings.limits;
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

        public Builder limits(LimitSettings limits) {
            this.limits = limits;
            return this;
        }

        public Builder history(int history) {
            this.history = history;
            return this;
        }

        /**
         * Builds the settings.
         *
         * @throws IllegalArgumentException if a setting is out of its bounds
         */
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
                    limits,
                    history);
        }
    }
}
