// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.LogLines;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.rabbit.RabbitSettings;
import io.delayqueue.internal.autoconfigure.redis.RedisConfiguration;
import io.delayqueue.internal.autoconfigure.settings.CheckedProperties;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.QueueSettingsReader;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.NestedExceptionUtils;
import tools.jackson.databind.json.JsonMapper;

/** Reads all of this library's properties, without an application around them. */
final class SettingsReading {

    /** Numbers, durations and sizes. */
    static final List<String> PROPERTIES = List.of(
            "redis.command-timeout",
            "redis.request-queue-size",
            "redis.heartbeat",
            "max-payload-size",
            "max-id-length",
            "max-header-size",
            "rabbit.confirm-timeout",
            "defaults.lease",
            "queues.orders.shards",
            "queues.orders.codec",
            "queues.orders.lease",
            "queues.orders.max-lease-expiries",
            "queues.orders.handler.timeout",
            "queues.orders.retry.max-retries",
            "queues.orders.retry.delay",
            "queues.orders.retry.multiplier",
            "queues.orders.retry.max-delay",
            "queues.orders.retry.jitter",
            "queues.orders.dead.retention",
            "queues.orders.dead.cap",
            "queues.orders.dead.exchange",
            "queues.orders.dead.routing-key",
            "queues.orders.trigger.concurrency",
            "queues.orders.trigger.thread-name-prefix",
            "queues.orders.trigger.batch-size",
            "queues.orders.trigger.max-idle-interval",
            "queues.orders.trigger.shutdown-timeout",
            "queues.orders.limits.rate",
            "queues.orders.limits.rate-when-overdue",
            "queues.orders.rabbit.exchange",
            "queues.orders.rabbit.routing-key",
            "queues.orders.rabbit.declare.exchange-type",
            "key-prefix");

    private SettingsReading() {}

    /**
     * Reads them, and uses what they say.
     *
     * @return whether they were taken; if not, they were refused by name
     */
    static boolean takes(Map<String, String> properties) {
        DelayQueueProperties bound;
        try {
            bound = new Binder(
                            List.of(new MapConfigurationPropertySource(properties)),
                            null,
                            new ApplicationConversionService(),
                            null)
                    .bindOrCreate(
                            "delayqueue",
                            Bindable.of(DelayQueueProperties.class),
                            new CheckedProperties(PlaceholdersResolver.NONE).apply(BindHandler.DEFAULT));
        } catch (BindException ex) {
            if (NestedExceptionUtils.getRootCause(ex) instanceof InvalidDelayQueueSetupException refusal) {
                LogLines.assertPrintable(refusal.description());
                LogLines.assertPrintable(refusal.action());
            }
            return false;
        }
        try {
            use(bound);
            return true;
        } catch (InvalidDelayQueueSetupException ex) {
            LogLines.assertPrintable(ex.description());
            LogLines.assertPrintable(ex.action());
            return false;
        }
    }

    private static void use(DelayQueueProperties bound) {
        RedisConfiguration configuration = new RedisConfiguration();
        RedisKeys keys = configuration.delayQueueRedisKeys(bound);
        assertThat(keys.of(QueueKey.SHARDING, "orders")).matches("[A-Za-z0-9._:-]{1,64}:\\{orders}:sharding");
        bound.redis().commandTimeout().toNanos();
        TaskBounds bounds = new DelayQueueAutoConfiguration().delayQueueTaskBounds(bound);
        assertThat(bounds.maxIdLength()).isBetween(1, 4096);
        QueueCatalog queues = new QueueCatalog(new QueueSettingsReader(
                        bound, new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))), Map.of())
                .read());
        for (QueueSettings queue : queues.all()) {
            assertThat(queue.lease()).isBetween(Duration.ofMillis(1), Duration.ofDays(365));
            for (int failures : new int[] {1, 2, 1000, Integer.MAX_VALUE}) {
                assertThat(queue.retry().delayAfter(failures, RandomGenerator.getDefault()))
                        .isBetween(Duration.ofMillis(1), queue.retry().maxDelay());
            }
            queue.trigger().maxIdleInterval().toNanos();
            queue.trigger().shutdownTimeout().toNanos();
        }
        RabbitSettings.of(bound, queues);
    }
}
