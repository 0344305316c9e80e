// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.internal.store.GroupChange;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A change of a group that can be stored and resumed.
 *
 * @param due the due time for {@link GroupChange.Verb#DUE}
 * @param shiftMillis the duration for {@link GroupChange.Verb#SHIFT}
 * @param name unique name; the name of a step adds the number of the step
 * @param firstStep number of the first step
 * @param from the position to start from; empty for the beginning of the group
 */
public record GroupOperation(
        GroupChange.Verb verb, @Nullable Due due, long shiftMillis, String name, int firstStep, String from) {

    private static final Duration FARTHEST = Duration.ofMillis(Due.MAX_EPOCH_MILLIS);

    private static final Pattern FORM =
            Pattern.compile("(CANCEL|DUE|SHIFT) ([+-]?\\d{1,18}) ([0-9a-f]{32}) (\\d{1,9}) ?(.*)");

    public static GroupOperation cancel() {
        return new GroupOperation(GroupChange.Verb.CANCEL, null, 0, newName(), 0, "");
    }

    public static GroupOperation due(Due due) {
        return new GroupOperation(GroupChange.Verb.DUE, due, 0, newName(), 0, "");
    }

    /** @throws InvalidTaskException if the duration exceeds the range of due times */
    public static GroupOperation shift(Duration by) {
        if (by.compareTo(FARTHEST) > 0 || by.compareTo(FARTHEST.negated()) < 0) {
            throw new InvalidTaskException("Tasks of a group can be shifted by at most " + FARTHEST.toMillis()
                    + " ms in either direction, which is the range of due times. Correct the duration");
        }
        long millis = by.isNegative() ? -by.negated().toMillis() : Due.after(by).millis();
        return new GroupOperation(GroupChange.Verb.SHIFT, null, millis, newName(), 0, "");
    }

    private static String newName() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    /** @throws IllegalArgumentException if {@link #resumption} did not return this string */
    public static GroupOperation of(String resumption) {
        Matcher form = FORM.matcher(resumption);
        if (!form.matches()) {
            throw new IllegalArgumentException("Pass the string from the exception of the group call");
        }
        GroupChange.Verb verb = GroupChange.Verb.valueOf(form.group(1));
        String value = form.group(2);
        long number = Long.parseLong(value);
        Due due = verb == GroupChange.Verb.DUE ? new Due(value.startsWith("+"), number) : null;
        return new GroupOperation(verb, due, number, form.group(3), Integer.parseInt(form.group(4)), form.group(5));
    }

    /** Returns the string with which {@link #of} continues at this position. */
    public String resumption(int stepsDone, String place) {
        String value = (due == null) ? Long.toString(shiftMillis) : (due.relative() ? "+" : "") + due.millis();
        return verb + " " + value + " " + name + " " + (firstStep + stepsDone) + " " + place;
    }

    /** Returns this operation with an absolute due time; a delay starts at {@code nowMillis}. */
    public GroupOperation at(long nowMillis) {
        return (due == null || !due.relative())
                ? this
                : new GroupOperation(
                        verb,
                        new Due(false, Math.min(Due.MAX_EPOCH_MILLIS, nowMillis + due.millis())),
                        shiftMillis,
                        name,
                        firstStep,
                        from);
    }

    public GroupChange step(int number) {
        return switch (verb) {
            case CANCEL -> GroupChange.cancel();
            case DUE -> GroupChange.due(Objects.requireNonNull(due));
            case SHIFT -> GroupChange.shift(Duration.ofMillis(shiftMillis), name + ":" + (firstStep + number));
        };
    }
}
