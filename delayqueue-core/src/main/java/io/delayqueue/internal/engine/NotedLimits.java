// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Limits as text, without spaces. */
final class NotedLimits {

    private static final String NONE = "none";
    private static final String RATE = "rate";
    private static final String KEY_RATE = "per-key.rate";
    private static final String KEY_CONCURRENCY = "per-key.concurrency";
    private static final String RATE_WHEN_OVERDUE = "rate-when-overdue";

    private NotedLimits() {}

    /** Returns limits as a process notes them in Redis, such as {@code rate=1/200ms,per-key.concurrency=2}. */
    static String text(LimitSettings limits) {
        return text(limits, Rate::reduced);
    }

    /** Returns limits as people write them, such as {@code rate=5.0/s,per-key.concurrency=2}. */
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

    /**
     * Reads what {@link #text} has written.
     *
     * @throws IllegalArgumentException if another version or program has written it
     */
    static LimitSettings parse(String text) {
        Map<String, String> parts = new HashMap<>();
        if (!text.equals(NONE)) {
            for (String part : text.split(",")) {
                int at = part.indexOf('=');
                parts.put(at < 0 ? part : part.substring(0, at), part.substring(at + 1));
            }
        }
        LimitSettings limits = new LimitSettings(
                rate(parts.remove(RATE)),
                rate(parts.remove(RATE_WHEN_OVERDUE)),
                rate(parts.remove(KEY_RATE)),
                number(parts.remove(KEY_CONCURRENCY)));
        if (!parts.isEmpty()) {
            throw new IllegalArgumentException("Unknown limits: " + parts.keySet());
        }
        return limits;
    }

    private static @Nullable Rate rate(@Nullable String text) {
        return text == null ? null : Rate.ofReduced(text);
    }

    private static @Nullable Integer number(@Nullable String text) {
        return text == null ? null : Integer.valueOf(text);
    }
}
