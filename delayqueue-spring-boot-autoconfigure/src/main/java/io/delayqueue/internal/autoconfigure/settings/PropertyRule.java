// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.queue.Bound;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Says which values a property may have.
 *
 * @param allows tells whether a value is allowed
 * @param requirement the same in words, such as {@code at least 1}
 */
public record PropertyRule<T>(Predicate<T> allows, String requirement) {

    /** Allows the values within the bounds. */
    public static <T extends Comparable<T>> PropertyRule<T> within(Bound<T> bound) {
        return new PropertyRule<>(bound::allows, bound.requirement());
    }

    /** Allows the values from the least to the most. */
    public static <T extends Comparable<T>> PropertyRule<T> between(T least, T most) {
        return within(new Bound<>(least, most));
    }

    /**
     * Returns the value.
     *
     * @param property its full name
     * @throws InvalidDelayQueueSetupException if the value is not allowed
     */
    public T check(String property, T value) {
        return check(property, value, value);
    }

    /** @param shown the value as it is configured */
    T check(String property, T value, Object shown) {
        if (!allows.test(value)) {
            throw refusal(property, shown, requirement);
        }
        return value;
    }

    /** Says what is wrong with a property, and what it has to be. */
    public static InvalidDelayQueueSetupException refusal(String property, Object shown, String requirement) {
        String text = (shown instanceof Duration duration) ? DurationText.of(duration) : String.valueOf(shown);
        return new InvalidDelayQueueSetupException(
                property,
                "The property " + property + " is '" + PrintableText.of(text, 80) + "', but must be " + requirement
                        + ".",
                "Set " + property + " to a value that is " + requirement + ".");
    }
}
