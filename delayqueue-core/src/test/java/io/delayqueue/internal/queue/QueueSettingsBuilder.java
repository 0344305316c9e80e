// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.handler.RetrySettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Builds {@link QueueSettings} that differ from the defaults in a few settings. */
public final class QueueSettingsBuilder {

    private final String name;
    private int shards;
    private String codec;
    private Duration lease;
    private int maxLeaseExpiries;
    private RetrySettings retry;
    private TriggerSettings trigger;
    private DeadSettings dead;
    private int minReplicas;
    private @Nullable Duration handlerTimeout;
    private TimingSettings timing;
    private LimitSettings limits;
    private int history;
    private int stackTraceSize;

    private QueueSettingsBuilder(QueueSettings settings) {
        this.name = settings.name();
        this.shards = settings.shards();
        this.codec = settings.codec();
        this.lease = settings.lease();
        this.maxLeaseExpiries = settings.maxLeaseExpiries();
        this.retry = settings.retry();
        this.trigger = settings.trigger();
        this.dead = settings.dead();
        this.minReplicas = settings.minReplicas();
        this.handlerTimeout = settings.handlerTimeout();
        this.timing = settings.timing();
        this.limits = settings.limits();
        this.history = settings.history();
        this.stackTraceSize = settings.stackTraceSize();
    }

    /** Returns the settings that a queue has if its configuration sets nothing. */
    public static QueueSettings withDefaults(String name) {
        return new QueueSettings(
                name,
                1,
                JacksonPayloadCodec.NAME,
                Duration.ofSeconds(30),
                10,
                RetrySettings.DEFAULT,
                new TriggerSettings(true, 4, null, 200, Duration.ofSeconds(5), Duration.ofSeconds(10)),
                new DeadSettings(Duration.ofDays(90), 100_000),
                0,
                null,
                TimingSettings.NONE,
                LimitSettings.NONE,
                0,
                0);
    }

    /** Starts with the default settings. */
    public static QueueSettingsBuilder of(String name) {
        return of(withDefaults(name));
    }

    /** Starts with these settings. */
    public static QueueSettingsBuilder of(QueueSettings settings) {
        return new QueueSettingsBuilder(settings);
    }

    public QueueSettingsBuilder shards(int shards) {
        this.shards = shards;
        return this;
    }

    public QueueSettingsBuilder codec(String codec) {
        this.codec = codec;
        return this;
    }

    public QueueSettingsBuilder lease(Duration lease) {
        this.lease = lease;
        return this;
    }

    public QueueSettingsBuilder maxLeaseExpiries(int maxLeaseExpiries) {
        this.maxLeaseExpiries = maxLeaseExpiries;
        return this;
    }

    public QueueSettingsBuilder retry(RetrySettings retry) {
        this.retry = retry;
        return this;
    }

    public QueueSettingsBuilder trigger(TriggerSettings trigger) {
        this.trigger = trigger;
        return this;
    }

    public QueueSettingsBuilder dead(DeadSettings dead) {
        this.dead = dead;
        return this;
    }

    public QueueSettingsBuilder minReplicas(int minReplicas) {
        this.minReplicas = minReplicas;
        return this;
    }

    public QueueSettingsBuilder handlerTimeout(Duration handlerTimeout) {
        this.handlerTimeout = handlerTimeout;
        return this;
    }

    public QueueSettingsBuilder timing(TimingSettings timing) {
        this.timing = timing;
        return this;
    }

    public QueueSettingsBuilder limits(LimitSettings limits) {
        this.limits = limits;
        return this;
    }

    public QueueSettingsBuilder history(int history) {
        this.history = history;
        return this;
    }

    public QueueSettingsBuilder stackTraceSize(int stackTraceSize) {
        this.stackTraceSize = stackTraceSize;
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
                handlerTimeout,
                timing,
                limits,
                history,
                stackTraceSize);
    }
}
