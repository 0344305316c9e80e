// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import static io.delayqueue.internal.autoconfigure.settings.PropertyValue.atLeastOne;
import static io.delayqueue.internal.autoconfigure.settings.PropertyValue.between;
import static io.delayqueue.internal.autoconfigure.settings.PropertyValue.within;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.InvalidQueueNameException;
import io.delayqueue.WorkingDays;
import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.autoconfigure.QueueProperties;
import io.delayqueue.codec.PayloadCodecs;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.queue.Bound;
import io.delayqueue.queue.DeadSettings;
import io.delayqueue.queue.HandlerSettings;
import io.delayqueue.queue.QueueNames;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.RetryPolicy;
import io.delayqueue.queue.TimingSettings;
import io.delayqueue.queue.TriggerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Turns what the properties say about queues into their settings, and refuses what cannot work. */
public final class QueueSettingsReader {

    private static final Duration SHORTEST_RETENTION = Duration.ofMinutes(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(3650);

    private final DelayQueueProperties properties;
    private final PayloadCodecs codecs;
    private final Map<String, WorkingDays> calendars;

    public QueueSettingsReader(DelayQueueProperties properties, PayloadCodecs codecs) {
        this(properties, codecs, Map.of());
    }

    /** @param calendars by the names that windows have for them */
    public QueueSettingsReader(
            DelayQueueProperties properties, PayloadCodecs codecs, Map<String, WorkingDays> calendars) {
        this.calendars = calendars;
        this.properties = properties;
        this.codecs = codecs;
    }

    /** All queues, in the order of configuration. */
    public List<QueueSettings> read() {
        return properties.queues().entrySet().stream()
                .map(queue -> settings(new QueueValues(queue.getKey(), queue.getValue(), properties.defaults())))
                .toList();
    }

    private QueueSettings settings(QueueValues queue) {
        checkName(queue);
        QueueSettings builtIn = QueueSettings.withDefaults(queue.name());
        return builtIn.toBuilder()
                .shards(within(queue.get("shards", QueueProperties::shards, builtIn.shards()), Bound.SHARDS))
                .codec(codec(queue.get("codec", QueueProperties::codec, builtIn.codec())))
                .lease(within(queue.get("lease", QueueProperties::lease, builtIn.lease()), Bound.LEASE))
                .maxLeaseExpiries(within(
                        queue.get("max-lease-expiries", QueueProperties::maxLeaseExpiries, builtIn.maxLeaseExpiries()),
                        Bound.MAX_LEASE_EXPIRIES))
                .retry(retry(queue, builtIn.retry()))
                .trigger(trigger(queue, builtIn.trigger()))
                .dead(dead(queue))
                .replicas(within(queue.get("replicas", QueueProperties::replicas, builtIn.replicas()), Bound.REPLICAS))
                .handler(handler(queue))
                .timing(timing(queue, builtIn.timing()))
                .history(within(queue.get("history", QueueProperties::history, builtIn.history()), Bound.HISTORY))
                .build();
    }

    private static HandlerSettings handler(QueueValues queue) {
        PropertyValue<Duration> timeout =
                queue.find("handler.timeout", q -> q.handler().timeout());
        return new HandlerSettings(timeout == null ? null : within(timeout, Bound.HANDLER_TIMEOUT));
    }

    private static void checkName(QueueValues queue) {
        try {
            QueueNames.check(queue.name());
        } catch (InvalidQueueNameException ex) {
            throw new InvalidDelayQueueSetupException(
                    queue.property(),
                    "The name of a queue under delayqueue.queues cannot be used: " + ex.getMessage() + ".",
                    "Rename the queue under delayqueue.queues. A name with '.' or '_' is written in brackets and quotes:"
                            + " \"[shop.orders]\".");
        }
    }

    /** It stands in every log line of these threads. */
    private static String threadNamePrefix(PropertyValue<String> prefix) {
        return prefix.require(
                text -> text.length() <= 100 && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f),
                "at most 100 printable ASCII characters");
    }

    private String codec(PropertyValue<String> codec) {
        return codec.require(
                codecs.names()::contains,
                "the name of a codec, one of " + new TreeSet<>(codecs.names())
                        + " (msgpack needs org.msgpack:jackson-dataformat-msgpack)");
    }

    private static RetryPolicy retry(QueueValues queue, RetryPolicy builtIn) {
        PropertyValue<Duration> maxDelay =
                queue.get("retry.max-delay", q -> q.retry().maxDelay(), builtIn.maxDelay());
        PropertyValue<Duration> initialDelay =
                queue.get("retry.initial-delay", q -> q.retry().initialDelay(), builtIn.initialDelay());
        within(initialDelay, Bound.RETRY_DELAY);
        within(maxDelay, Bound.RETRY_DELAY);
        maxDelay.require(
                delay -> delay.compareTo(initialDelay.value()) >= 0,
                "at least " + initialDelay.name() + " (" + PropertyValue.shown(initialDelay.value()) + ")");
        return new RetryPolicy(
                within(
                        queue.get("retry.max-attempts", q -> q.retry().maxAttempts(), builtIn.maxAttempts()),
                        Bound.MAX_ATTEMPTS),
                initialDelay.value(),
                queue.get("retry.multiplier", q -> q.retry().multiplier(), builtIn.multiplier())
                        .require(m -> m >= 1 && m <= 1000, "between 1 and 1000"),
                maxDelay.value(),
                queue.get("retry.jitter", q -> q.retry().jitter(), builtIn.jitter())
                        .require(j -> j >= 0 && j <= 1, "between 0 and 1"));
    }

    private static DeadSettings dead(QueueValues queue) {
        PropertyValue<Duration> retention =
                queue.find("dead.retention", q -> q.dead().retention());
        PropertyValue<Integer> cap = queue.find("dead.cap", q -> q.dead().cap());
        PropertyValue<String> exchange =
                queue.find("dead.exchange", q -> q.dead().exchange());
        boolean forwards = exchange != null && !exchange.value().isBlank();
        return new DeadSettings(
                retention == null ? null : between(retention, SHORTEST_RETENTION, LONGEST_RETENTION),
                cap == null ? null : atLeastOne(cap),
                queue.get("dead.keep", q -> q.dead().keep(), DeadSettings.Keep.ALL)
                        .require(
                                keep -> keep == DeadSettings.Keep.ALL || !forwards,
                                "'all' where dead.exchange is given, since what is deleted cannot be forwarded"));
    }

    private TimingSettings timing(QueueValues queue, TimingSettings builtIn) {
        PropertyValue<Duration> expiresAfter = queue.find("expires-after", QueueProperties::expiresAfter);
        return new TimingSettings(
                expiresAfter == null ? null : within(expiresAfter, Bound.EXPIRES_AFTER),
                queue.get("expired", QueueProperties::expired, builtIn.expired())
                        .value(),
                window(queue),
                calendars);
    }

    private @Nullable DeliveryWindow window(QueueValues queue) {
        PropertyValue<String> window = queue.find("window", QueueProperties::window);
        if (window == null || window.value().isBlank()) {
            return null;
        }
        window.require(
                QueueSettingsReader::isWindow,
                "hours and a zone, such as '09:00-21:00 Europe/Berlin', and behind them days, such as 'MONDAY,TUESDAY', or a"
                        + " calendar, such as 'calendar:germany'");
        DeliveryWindow hours = DeliveryWindow.parse(window.value());
        window.require(
                text -> hours.calendar() == null || calendars.containsKey(hours.calendar()),
                "a window whose calendar is the name of a WorkingDays bean, one of "
                        + new TreeSet<>(calendars.keySet()));
        return hours;
    }

    private static boolean isWindow(String text) {
        try {
            DeliveryWindow.parse(text);
            return true;
        } catch (IllegalArgumentException ex) {
            return false;
        }
    }

    private TriggerSettings trigger(QueueValues queue, TriggerSettings builtIn) {
        PropertyValue<String> prefix =
                queue.find("trigger.thread-name-prefix", q -> q.trigger().threadNamePrefix());
        PropertyValue<Integer> catchUpRate =
                queue.find("trigger.catch-up-rate", q -> q.trigger().catchUpRate());
        boolean enabled =
                queue.get("trigger.enabled", q -> q.trigger().enabled(), true).value();
        boolean autoStartup = queue.get("trigger.auto-startup", q -> q.trigger().autoStartup(), builtIn.autoStartup())
                .value();
        return new TriggerSettings(
                properties.enabled() && enabled,
                autoStartup,
                within(queue.get("trigger.threads", q -> q.trigger().threads(), builtIn.threads()), Bound.THREADS),
                (prefix == null || prefix.value().isBlank()) ? null : threadNamePrefix(prefix),
                within(
                        queue.get("trigger.batch-size", q -> q.trigger().batchSize(), builtIn.batchSize()),
                        Bound.BATCH_SIZE),
                within(
                        queue.get(
                                "trigger.max-idle-interval",
                                q -> q.trigger().maxIdleInterval(),
                                builtIn.maxIdleInterval()),
                        Bound.MAX_IDLE_INTERVAL),
                within(
                        queue.get("trigger.close-timeout", q -> q.trigger().closeTimeout(), builtIn.closeTimeout()),
                        Bound.CLOSE_TIMEOUT),
                within(
                        queue.get("trigger.look-ahead", q -> q.trigger().lookAhead(), builtIn.lookAhead()),
                        Bound.LOOK_AHEAD),
                catchUpRate == null ? null : within(catchUpRate, Bound.CATCH_UP_RATE));
    }
}
