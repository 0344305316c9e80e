// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.admin.KeyLimits;
import io.delayqueue.internal.input.Bound;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The run-time limits of a key.
 *
 * @param limitsText the limits as stored; empty for none
 * @param closedText end of the closure, in epoch milliseconds; empty if the key is open
 * @param changed whether this call changed them
 */
public record StoredKeyLimits(String limitsText, String closedText, boolean changed) {

    private static final Pattern FORM = Pattern.compile("1:(\\d{1,11}):(\\d{1,4})(?::(\\d{1,5}))?");

    /** Returns the stored form of limits; empty for none. */
    static String text(KeyLimits limits) {
        return limits.equals(KeyLimits.NONE)
                ? ""
                : "1:" + intervalMicros(limits) + ":" + limits.concurrency().orElse(0)
                        + (limits.burst().isPresent() ? ":" + limits.burst().getAsInt() : "");
    }

    /** Returns the minimum interval between two tasks of a key; 0 if the key has no rate. */
    static long intervalMicros(KeyLimits limits) {
        return limits.interval().map(interval -> interval.toNanos() / 1000).orElse(0L);
    }

    /** Returns the limits. Ignores limits that another version wrote in another form, as acquires do. */
    public KeyLimits limits() {
        Matcher form = FORM.matcher(limitsText);
        if (!form.matches()) {
            return KeyLimits.NONE;
        }
        long micros = Math.min(
                Long.parseLong(form.group(1)), ChronoUnit.DAYS.getDuration().toMillis() * 1000);
        int concurrency = Math.min(Integer.parseInt(form.group(2)), Bound.KEY_CONCURRENCY.most());
        int burst = form.group(3) == null || micros == 0
                ? 0
                : Math.min(Integer.parseInt(form.group(3)), Bound.BURST.most());
        return new KeyLimits(
                micros == 0 ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS)),
                burst == 0 ? OptionalInt.empty() : OptionalInt.of(burst),
                concurrency == 0 ? OptionalInt.empty() : OptionalInt.of(concurrency));
    }

    /** Returns the time until which the key is closed; empty if it is open. */
    public Optional<Instant> closedUntil() {
        return closedText.isEmpty() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(Long.parseLong(closedText)));
    }

    /** Returns these limits. Takes missing limits from a shard that tasks are leaving. */
    public StoredKeyLimits or(StoredKeyLimits other) {
        return new StoredKeyLimits(
                limitsText.isEmpty() ? other.limitsText : limitsText,
                closedText.isEmpty() ? other.closedText : closedText,
                changed || other.changed);
    }
}
