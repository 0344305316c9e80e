// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.queue.Bound;
import java.time.Duration;
import java.util.function.Predicate;
import org.springframework.util.unit.DataSize;

/**
 * A value and the property it comes from, so that a refusal can name it.
 *
 * @param name of the property
 * @param value as configured, inherited or built in
 */
public record PropertyValue<T>(String name, T value) {

    private static final Duration LONGEST = Duration.ofDays(365);

    /** Returns the value, or refuses it. */
    public T require(Predicate<T> valid, String requirement) {
        if (!valid.test(value)) {
            throw new InvalidDelayQueueSetupException(
                    name,
                    "The property " + name + " is '" + shown() + "', but must be " + requirement + ".",
                    "Set " + name + " to a value that is " + requirement + ".");
        }
        return value;
    }

    /** Returns the value, or refuses one that no queue may have. */
    public static <T extends Comparable<T>> T within(PropertyValue<T> value, Bound<T> bound) {
        return value.require(bound::allows, bound.requirement());
    }

    public static int between(PropertyValue<Integer> number, int least, int most) {
        return number.require(n -> n >= least && n <= most, "between " + least + " and " + most);
    }

    public static int atLeastOne(PropertyValue<Integer> number) {
        return number.require(n -> n >= 1, "at least 1");
    }

    /** Durations are kept in milliseconds; one of a year or more would only overflow somewhere. */
    public static Duration positive(PropertyValue<Duration> duration) {
        return duration.require(
                d -> d.compareTo(Duration.ofMillis(1)) >= 0 && d.compareTo(LONGEST) <= 0, "between 1ms and 365d");
    }

    public static Duration between(PropertyValue<Duration> duration, Duration least, Duration most) {
        return duration.require(
                d -> d.compareTo(least) >= 0 && d.compareTo(most) <= 0,
                "between " + shown(least) + " and " + shown(most));
    }

    /** The value as it may be shown. */
    public String shown() {
        if (value instanceof Duration duration) {
            return shown(duration);
        }
        return PrintableText.of((value instanceof DataSize size) ? shown(size) : String.valueOf(value), 80);
    }

    /** The way durations are written in properties, such as {@code 30s}. */
    public static String shown(Duration duration) {
        return DurationText.of(duration);
    }

    /** The way sizes are written in properties, such as {@code 256KB}. */
    private static String shown(DataSize size) {
        long bytes = size.toBytes();
        if (bytes == 0 || bytes % 1024 != 0) {
            return bytes + "B";
        }
        return (bytes % (1024 * 1024) == 0) ? size.toMegabytes() + "MB" : size.toKilobytes() + "KB";
    }
}
