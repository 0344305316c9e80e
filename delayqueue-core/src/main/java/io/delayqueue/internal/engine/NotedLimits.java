// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Formats and parses the limits in the notes of processes. Their text has no spaces. */
final class NotedLimits {

    private static final Logger log = LoggerFactory.getLogger(NotedLimits.class);
    private static final String NONE = "none";
    private static final String RATE = "rate";
    private static final String KEY_RATE = "per-key.rate";
    private static final String KEY_CONCURRENCY = "per-key.concurrency";
    private static final String RATE_WHEN_OVERDUE = "rate-when-overdue";

    private NotedLimits() {}

    /** Returns the limits in the form of a note, for example {@code rate=1/200ms,per-key.concurrency=2}. */
    static String text(LimitSettings limits) {
        return text(limits, Rate::reduced);
    }

    /** Returns the limits in the form that a user writes, for example {@code rate=5.0/s,per-key.concurrency=2}. */
    static String shown(LimitSettings limits) {
        return text(limits, rate -> rate.perSecond() + "/s" + (rate.burst() == 0 ? "" : "+" + rate.burst()));
    }

    private static String text(LimitSettings limits, Function<Rate, String> text) {
        StringJoiner all = new StringJoiner(",").setEmptyValue(NONE);
        add(all, RATE, limits.rate(), text);
        add(all, KEY_RATE, limits.keyRate(), text);
        add(all, KEY_CONCURRENCY, limits.keyConcurrency(), String::valueOf);
        add(all, RATE_WHEN_OVERDUE, limits.rateWhenOverdue(), text);
        return all.toString();
    }

    private static <T> void add(StringJoiner all, String name, @Nullable T value, Function<T, String> text) {
        if (value != null) {
            all.add(name + "=" + text.apply(value));
        }
    }

    /** Parses the result of {@link #text}. Ignores limits that another version wrote and this one cannot read. */
    static LimitSettings parse(String text) {
        LimitSettings limits = LimitSettings.NONE;
        for (String part : text.split(",")) {
            try {
                limits = limits.lowest(limit(part));
            } catch (IllegalArgumentException ex) {
                log.debug("Ignoring a limit that another version wrote: {}", PrintableText.of(part, 60));
            }
        }
        return limits;
    }

    private static LimitSettings limit(String part) {
        String value = part.substring(part.indexOf('=') + 1);
        return switch (part.substring(0, part.length() - value.length())) {
            case RATE + "=" -> new LimitSettings(Rate.ofReduced(value), null, null, null);
            case RATE_WHEN_OVERDUE + "=" -> new LimitSettings(null, Rate.ofReduced(value), null, null);
            case KEY_RATE + "=" -> new LimitSettings(null, null, Rate.ofReduced(value), null);
            case KEY_CONCURRENCY + "=" -> new LimitSettings(null, null, null, Integer.valueOf(value));
            default -> LimitSettings.NONE;
        };
    }
}
