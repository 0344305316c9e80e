// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.WorkingDays;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueNames;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.internal.queue.TriggerSettings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Creates queue settings from properties, and rejects contradictory properties.
 *
 * @param calendars calendars by name
 */
public record QueueSettingsReader(
        DelayQueueProperties properties, PayloadCodecs codecs, Map<String, WorkingDays> calendars) {

    /** Returns all configured queues in their order, followed by additional queues that intakes need. */
    public List<QueueSettings> read() {
        Set<String> names = new LinkedHashSet<>(properties.queues().keySet());
        names.addAll(new TreeSet<>(properties.intakeQueues()));
        return names.stream()
                .map(name -> settings(checkName(name), properties.queue(name)))
                .toList();
    }

    private QueueSettings settings(String name, QueueProperties queue) {
        return new QueueSettings(
                name,
                queue.shards(),
                codec(name, queue.codec()),
                queue.lease(),
                queue.maxLeaseExpiries(),
                retry(name, queue.retry()),
                trigger(queue.trigger()),
                dead(name, queue.dead()),
                queue.minReplicas(),
                queue.handler().timeout(),
                new TimingSettings(queue.expiresAfter(), queue.expired(), window(name, queue.window()), calendars),
                limits(name, queue.limits()),
                queue.history(),
                (int) queue.stackTraceSize().toBytes());
    }

    private static String checkName(String name) {
        try {
            return QueueNames.check(name);
        } catch (InvalidTaskException ex) {
            throw new InvalidDelayQueueSetupException(
                    QueueNames.property(name),
                    "Invalid queue name under delayqueue.queues: " + ex.getMessage() + ".",
                    "Rename the queue. Write a name that contains '.' or '_' in brackets and quotes: "
                            + "\"[shop.orders]\".");
        }
    }

    private static InvalidDelayQueueSetupException refusal(
            String queue, String path, Object value, String requirement) {
        return PropertyRule.refusal(QueueNames.property(queue) + "." + path, value, requirement);
    }

    private String codec(String queue, String codec) {
        if (!codecs.names().contains(codec)) {
            throw refusal(
                    queue,
                    "codec",
                    codec,
                    "the name of a codec, one of " + new TreeSet<>(codecs.names())
                            + " (msgpack needs org.msgpack:jackson-dataformat-msgpack)");
        }
        return codec;
    }

    private static RetrySettings retry(String queue, QueueProperties.Retry retry) {
        if (retry.maxDelay().compareTo(retry.delay()) < 0) {
            throw refusal(
                    queue,
                    "retry.max-delay",
                    retry.maxDelay(),
                    "at least retry.delay (" + DurationText.of(retry.delay()) + ")");
        }
        return new RetrySettings(
                retry.maxRetries(),
                retry.delay(),
                retry.multiplier(),
                retry.maxDelay(),
                retry.jitter(),
                retry.excludes());
    }

    private static DeadSettings dead(String queue, QueueProperties.Dead dead) {
        if (dead.cap() > 0) {
            return new DeadSettings(dead.retention(), dead.cap());
        }
        if (dead.exchange() != null) {
            throw refusal(
                    queue,
                    "dead.cap",
                    0,
                    "at least 1 if dead.exchange is set, because a deleted task cannot be forwarded");
        }
        return new DeadSettings(dead.retention(), null, DeadSettings.Keep.NONE);
    }

    private @Nullable DeliveryWindow window(String queue, @Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        DeliveryWindow window;
        try {
            window = DeliveryWindow.parse(text);
        } catch (IllegalArgumentException ex) {
            throw refusal(
                    queue,
                    "window",
                    text,
                    "hours and a zone, such as '09:00-21:00 Europe/Berlin', optionally followed by "
                            + "days, such as 'MONDAY,TUESDAY', or a calendar, such as 'calendar:germany'");
        }
        if (window.calendar() != null && !calendars.containsKey(window.calendar())) {
            throw refusal(
                    queue,
                    "window",
                    text,
                    "a window whose calendar is the name of a WorkingDays bean, one of "
                            + new TreeSet<>(calendars.keySet()));
        }
        return window;
    }

    private TriggerSettings trigger(QueueProperties.Trigger trigger) {
        return new TriggerSettings(
                properties.enabled() && trigger.autoStartup(),
                trigger.concurrency(),
                StringUtils.hasText(trigger.threadNamePrefix()) ? trigger.threadNamePrefix() : null,
                trigger.batchSize(),
                trigger.maxIdleInterval(),
                trigger.shutdownTimeout());
    }

    private static LimitSettings limits(String queue, QueueProperties.Limits limits) {
        Rate whenOverdue = rate(queue, "limits.rate-when-overdue", limits.rateWhenOverdue());
        if (whenOverdue != null && whenOverdue.burst() != 0) {
            throw refusal(
                    queue,
                    "limits.rate-when-overdue",
                    String.valueOf(limits.rateWhenOverdue()),
                    "a number of tasks per s, m, h or d without a burst, such as '50/s'");
        }
        return new LimitSettings(
                rate(queue, "limits.rate", limits.rate()),
                whenOverdue,
                rate(queue, "limits.per-key.rate", limits.perKey().rate()),
                limits.perKey().concurrency());
    }

    private static @Nullable Rate rate(String queue, String path, @Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return Rate.parse(text);
        } catch (IllegalArgumentException ex) {
            throw refusal(queue, path, text, Rate.REQUIREMENT);
        }
    }
}
