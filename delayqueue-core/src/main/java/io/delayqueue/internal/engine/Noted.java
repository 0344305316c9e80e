// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.store.NotedQueue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a queue in the note of a process.
 *
 * @param more further settings, for display only
 */
record Noted(
        boolean delivers,
        boolean alive,
        String process,
        long leaseMillis,
        int shards,
        LimitSettings limits,
        String application,
        String destination,
        Map<String, String> more) {

    static final int LONGEST = 200;

    private static final Pattern SETTINGS = Pattern.compile(
            "(\\d{1,15}) (\\d{1,4}) limits:([!-~]{1,200}) ([!-~]{1,200}) ([ -~]{1,200})(\t[ -~\t]{1,3000})?");

    /** Returns the text of a note, which {@link #of} parses. */
    static String text(QueueSettings queue, String application, @Nullable String destination) {
        return queue.lease().toMillis() + " " + queue.shards() + " limits:" + NotedLimits.text(queue.limits()) + " "
                + application + " " + Objects.requireNonNullElse(destination, "none") + NotedSettings.text(queue);
    }

    /** Parses a note; returns null for settings that this version cannot read. */
    static @Nullable Noted of(NotedQueue note) {
        Matcher settings = SETTINGS.matcher(note.settings());
        if (!settings.matches()) {
            return null;
        }
        return new Noted(
                note.delivers(),
                note.alive(),
                PrintableText.of(note.process(), LONGEST),
                Long.parseLong(settings.group(1)),
                Integer.parseInt(settings.group(2)),
                NotedLimits.parse(settings.group(3)),
                settings.group(4),
                settings.group(5),
                NotedSettings.parse(settings.group(6)));
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
}
