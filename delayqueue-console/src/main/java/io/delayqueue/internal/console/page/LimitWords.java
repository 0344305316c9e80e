// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.control.KeyView;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Limits in words, such as "5/s" and "2 at a time". */
final class LimitWords {

    private LimitWords() {}

    /** Returns the limits that apply to a key: those set at run time, otherwise those of the queue; null for none. */
    static @Nullable String ofKey(LimitSettings settings, KeyView key) {
        Rate rate = settings.keyRate();
        Integer configured = settings.keyConcurrency();
        List<String> parts = new ArrayList<>();
        Duration interval = key.interval();
        if (interval != null) {
            parts.add(rate(interval, key.burst()));
        } else if (rate != null) {
            parts.add(rate(rate));
        }
        Integer concurrency = key.concurrency() == null ? configured : key.concurrency();
        if (concurrency != null) {
            parts.add(concurrency + " at a time");
        }
        return parts.isEmpty() ? null : String.join(", ", parts);
    }

    static String rate(Rate rate) {
        Duration per = rate.per();
        String unit = per.toDays() > 0 && per.equals(Duration.ofDays(per.toDays()))
                ? unit(per.toDays(), "d")
                : per.equals(Duration.ofHours(per.toHours()))
                        ? unit(per.toHours(), "h")
                        : per.equals(Duration.ofMinutes(per.toMinutes()))
                                ? unit(per.toMinutes(), "m")
                                : unit(per.toSeconds(), "s");
        return rate.tasks() + "/" + unit + (rate.burst() == 0 ? "" : " burst " + rate.burst());
    }

    private static String unit(long number, String unit) {
        return number == 1 ? unit : number + unit;
    }

    /**
     * Returns a rate with this interval between two tasks, or the nearest rate. Intervals are rounded up to
     * microseconds.
     *
     * @param burst burst of the rate; null for none
     */
    static String rate(Duration interval, @Nullable Integer burst) {
        int atOnce = burst == null ? 0 : burst;
        long micros = Math.max(1, interval.toNanos() / 1000);
        Rate nearest = new Rate(1, Duration.ofDays(1), atOnce);
        PrimitiveIterator.OfInt seconds = IntStream.concat(IntStream.of(1, 60, 3600), IntStream.rangeClosed(2, 86_400))
                .iterator();
        while (nearest.intervalMicros() != micros && seconds.hasNext()) {
            Duration per = Duration.ofSeconds(seconds.nextInt());
            Rate rate = new Rate((int) ((per.toNanos() / 1000 + micros - 1) / micros), per, atOnce);
            if (Math.abs(rate.intervalMicros() - micros) < Math.abs(nearest.intervalMicros() - micros)) {
                nearest = rate;
            }
        }
        return rate(nearest);
    }
}
