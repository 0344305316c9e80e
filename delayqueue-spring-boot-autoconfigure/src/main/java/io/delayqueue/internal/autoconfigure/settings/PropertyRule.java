// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.input.PrintableText;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The allowed values of a property.
 *
 * @param allows returns whether a value is allowed
 * @param requirement description of the rule, such as {@code at least 1}
 */
public record PropertyRule<T>(Predicate<T> allows, String requirement) {

    /** Allows values within the bounds. */
    public static <T extends Comparable<T>> PropertyRule<T> within(Bound<T> bound) {
        return new PropertyRule<>(bound::allows, bound.requirement());
    }

    /** Allows values in this range, inclusive. */
    public static <T extends Comparable<T>> PropertyRule<T> between(T least, T most) {
        return within(new Bound<>(least, most));
    }

    /**
     * Returns the value if it is allowed.
     *
     * @param property full name of the property
     * @throws InvalidDelayQueueSetupException if the value is not allowed
     */
    public T check(String property, T value) {
        return check(property, value, value);
    }

    /** @param shown the value, as configured */
    T check(String property, T value, Object shown) {
        if (!allows.test(value)) {
            throw refusal(property, shown, requirement);
        }
        return value;
    }

    /** Describes an invalid value of a property and the valid values. */
    public static InvalidDelayQueueSetupException refusal(String property, Object shown, String requirement) {
        String text = (shown instanceof Duration duration) ? DurationText.of(duration) : String.valueOf(shown);
        return new InvalidDelayQueueSetupException(
                property,
                "The property " + property + " is '" + PrintableText.of(text, 80) + "', but must be " + requirement
                        + ".",
                "Set " + property + " to a value that is " + requirement + ".");
    }
}
