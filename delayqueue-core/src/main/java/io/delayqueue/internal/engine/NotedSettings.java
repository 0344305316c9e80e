// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.store.NotedQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a queue in the note of a process.
 *
 * @param more further settings, for display only
 */
public record NotedSettings(
        boolean delivers,
        boolean alive,
        String process,
        long leaseMillis,
        int shards,
        LimitSettings limits,
        String application,
        String destination,
        Map<String, String> more) {

    /** How long a process may write no note before it counts as gone. */
    public static final Duration SILENCE = QueueProcesses.PERIOD.multipliedBy(5).dividedBy(2);

    /** The property that determines the number of attempts. */
    public static final String MAX_RETRIES = "retry.max-retries";

    private static final String SEPARATOR = "\t";

    static final int LONGEST = 200;

    private static final Pattern SETTINGS = Pattern.compile(
            "(\\d{1,15}) (\\d{1,4}) limits:([!-~]{1,200}) ([!-~]{1,200}) ([ -~]{1,200})(\t[ -~\t]{1,3000})?");

    /** Returns the text of a note, which {@link #of} parses. */
    static String text(QueueSettings queue, String application, @Nullable String destination) {
        return queue.lease().toMillis() + " " + queue.shards() + " limits:" + NotedLimits.text(queue.limits()) + " "
                + application + " " + Objects.requireNonNullElse(destination, "none") + more(queue);
    }

    /** Parses a note; returns null for settings that this version cannot read. */
    static @Nullable NotedSettings of(NotedQueue note) {
        Matcher settings = SETTINGS.matcher(note.settings());
        if (!settings.matches()) {
            return null;
        }
        return new NotedSettings(
                note.delivers(),
                note.alive(),
                PrintableText.of(note.process(), LONGEST),
                Long.parseLong(settings.group(1)),
                Integer.parseInt(settings.group(2)),
                NotedLimits.parse(settings.group(3)),
                settings.group(4),
                settings.group(5),
                parse(settings.group(6)));
    }

    /** Returns the settings by name, for display. */
    Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("destination", destination);
        all.put("shards", String.valueOf(shards));
        all.put("lease", DurationText.of(Duration.ofMillis(leaseMillis)));
        all.put("limits", NotedLimits.shown(limits));
        all.putAll(more);
        return all;
    }

    /**
     * Returns the settings that a note contains for display only. Each consists of a tab, a name, an equals sign and a
     * value.
     */
    private static String more(QueueSettings queue) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("max-lease-expiries", queue.maxLeaseExpiries());
        all.put(MAX_RETRIES, queue.retry().maxRetries());
        all.put("retry.delay", queue.retry().delay());
        all.put("retry.multiplier", queue.retry().multiplier());
        all.put("retry.max-delay", queue.retry().maxDelay());
        all.put("trigger.concurrency", queue.trigger().concurrency());
        all.put("handler.timeout", or(queue.handlerTimeout(), "unlimited"));
        DeadSettings dead = queue.dead();
        all.put("dead.retention", or(dead.retention(), "unlimited"));
        all.put("dead.cap", dead.keep() == DeadSettings.Keep.NONE ? 0 : or(dead.cap(), "unlimited"));
        all.put("expires-after", or(queue.timing().expiresAfter(), "unlimited"));
        all.put("window", or(queue.timing().window(), "at any time"));
        all.put("history", queue.history());
        StringBuilder text = new StringBuilder();
        all.forEach(
                (name, value) -> text.append(SEPARATOR).append(name).append('=').append(shown(value)));
        return text.toString();
    }

    private static Object or(@Nullable Object value, String none) {
        return value == null ? none : value;
    }

    private static String shown(Object value) {
        return value instanceof Duration duration
                ? DurationText.of(duration)
                : PrintableText.of(value.toString(), NotedSettings.LONGEST);
    }

    /** Parses the result of {@link #more(QueueSettings)}. */
    private static Map<String, String> parse(@Nullable String text) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String setting : text == null ? new String[0] : text.split(SEPARATOR)) {
            int end = setting.indexOf('=');
            if (end > 0) {
                all.put(setting.substring(0, end), setting.substring(end + 1));
            }
        }
        return all;
    }

    /**
     * Returns the values of each setting of a queue in the live processes that deliver it. A setting that differs
     * between processes has several values.
     *
     * @param notes the notes of all processes
     */
    public static Map<String, Set<String>> of(String queue, Collection<NotedQueue> notes) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        List<NotedSettings> delivering = notes.stream()
                .filter(note -> note.queue().equals(queue))
                .map(NotedSettings::of)
                .filter(noted -> noted != null && noted.alive() && noted.delivers())
                .toList();
        delivering.forEach(noted -> noted.settings()
                .forEach((name, value) ->
                        values.computeIfAbsent(name, any -> new TreeSet<>()).add(value)));
        return values;
    }
}
