// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import static io.delayqueue.internal.autoconfigure.settings.PropertyRule.between;
import static io.delayqueue.internal.autoconfigure.settings.PropertyRule.within;
import static java.util.Map.entry;

import io.delayqueue.internal.input.Bound;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.util.unit.DataSize;

/** The allowed values of each property. {@link QueueSettingsReader} checks combinations of properties. */
final class PropertyRules {

    private static final PropertyRule<Duration> DURATION = within(Bound.LEASE);

    /** The rule for sizes. Larger values do not fit into Redis. */
    private static final PropertyRule<DataSize> SIZE = new PropertyRule<>(
            size -> size.toBytes() >= 1 && size.compareTo(DataSize.ofMegabytes(512)) <= 0, "between 1B and 512MB");

    /** The rule for AMQP names. AMQP does not support longer names, so every task would become dead. */
    private static final PropertyRule<String> AMQP_NAME = new PropertyRule<>(
            name -> name.getBytes(StandardCharsets.UTF_8).length <= 255, "at most 255 bytes long, as AMQP allows");

    /** The rule for prefixes of thread names. Their length is limited, because they are part of every log line. */
    private static final PropertyRule<String> THREAD_NAME = new PropertyRule<>(
            text -> text.length() <= 100 && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f),
            "at most 100 printable ASCII characters");

    private static final Map<String, PropertyRule<?>> OF_A_QUEUE = Map.ofEntries(
            entry("shards", within(Bound.SHARDS)),
            entry("lease", DURATION),
            entry("max-lease-expiries", within(Bound.MAX_LEASE_EXPIRIES)),
            entry("retry.max-retries", within(Bound.MAX_RETRIES)),
            entry("retry.delay", within(Bound.RETRY_DELAY)),
            entry("retry.multiplier", new PropertyRule<Double>(m -> m >= 1 && m <= 1000, "between 1 and 1000")),
            entry("retry.max-delay", within(Bound.RETRY_DELAY)),
            entry("retry.jitter", new PropertyRule<Double>(j -> j >= 0 && j <= 1, "between 0 and 1")),
            entry("dead.retention", between(Duration.ofMinutes(1), Duration.ofDays(3650))),
            entry("dead.cap", between(0, Integer.MAX_VALUE)),
            entry("dead.exchange", AMQP_NAME),
            entry("dead.routing-key", AMQP_NAME),
            entry("trigger.concurrency", within(Bound.CONCURRENCY)),
            entry("trigger.thread-name-prefix", THREAD_NAME),
            entry("trigger.batch-size", within(Bound.BATCH_SIZE)),
            entry("trigger.max-idle-interval", within(Bound.MAX_IDLE_INTERVAL)),
            entry("trigger.shutdown-timeout", within(Bound.SHUTDOWN_TIMEOUT)),
            entry("limits.per-key.concurrency", within(Bound.KEY_CONCURRENCY)),
            entry("handler.timeout", within(Bound.HANDLER_TIMEOUT)),
            entry("min-replicas", within(Bound.REPLICAS)),
            entry("expires-after", within(Bound.EXPIRES_AFTER)),
            entry("history", within(Bound.HISTORY)),
            entry(
                    "stack-trace-size",
                    new PropertyRule<DataSize>(
                            size -> size.toBytes() == 0
                                    || size.compareTo(DataSize.ofBytes(Bound.STACK_TRACE.least())) >= 0
                                            && size.compareTo(DataSize.ofBytes(Bound.STACK_TRACE.most())) <= 0,
                            "0B, or between 256B and 16KB")),
            entry("rabbit.exchange", AMQP_NAME),
            entry("rabbit.routing-key", AMQP_NAME));

    private static final Map<String, PropertyRule<?>> OF_THE_APPLICATION = Map.ofEntries(
            entry(
                    "key-prefix",
                    new PropertyRule<String>(
                            prefix -> prefix.matches("[A-Za-z0-9._:-]{1,64}"),
                            "1 to 64 letters, digits, '.', '_', ':' or '-'")),
            entry("redis.command-timeout", DURATION),
            entry("redis.request-queue-size", between(3, Integer.MAX_VALUE)),
            entry("redis.heartbeat", DURATION),
            entry("max-payload-size", SIZE),
            entry("max-header-size", SIZE),
            entry("max-id-length", between(1, 4096)),
            entry("rabbit.confirm-timeout", between(Duration.ofMillis(100), Duration.ofMinutes(5))),
            entry("metrics.interval", between(Duration.ofSeconds(1), Duration.ofHours(1))),
            entry("health.overdue-limit", DURATION));

    private PropertyRules() {}

    /** Returns the rule for a property under {@code delayqueue}, or null if any value of its type is allowed. */
    static @Nullable PropertyRule<?> of(ConfigurationPropertyName property) {
        if (InheritingSource.QUEUES.isAncestorOf(property)) {
            return OF_A_QUEUE.get(InheritingSource.pathInQueue(property).toString());
        }
        return InheritingSource.DEFAULTS.isAncestorOf(property)
                ? OF_A_QUEUE.get(property.subName(2).toString())
                : OF_THE_APPLICATION.get(property.subName(1).toString());
    }
}
