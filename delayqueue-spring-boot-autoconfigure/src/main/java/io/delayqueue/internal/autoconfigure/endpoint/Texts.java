// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import io.delayqueue.TaskState;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.TaskFilter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * Parameters of a request, which come as text. What cannot be read is an {@link IllegalArgumentException} that names the
 * parameter and what it may be.
 */
final class Texts {

    private Texts() {}

    static String required(String name, @Nullable String value) {
        if (value == null) {
            throw new IllegalArgumentException("The parameter '" + name + "' is missing");
        }
        return value;
    }

    static int number(String name, @Nullable String value, int otherwise) {
        if (value == null) {
            return otherwise;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException ex) {
            throw new IllegalArgumentException("The parameter '" + name + "' has to be a whole number");
        }
    }

    static boolean flag(String name, @Nullable String value, boolean otherwise) {
        if (value == null) {
            return otherwise;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("The parameter '" + name + "' has to be true or false");
        };
    }

    /** A moment, or how long from now. */
    static @Nullable Instant moment(String name, @Nullable String value) {
        if (value == null) {
            return null;
        }
        try {
            return value.indexOf(':') > 0 ? Instant.parse(value) : now().plus(DurationStyle.detectAndParse(value));
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException ex) {
            throw new IllegalArgumentException("The parameter '" + name
                    + "' has to be a moment, such as 2030-12-24T18:00:00Z, or how long from now, such as 90m or -1d");
        }
    }

    static Duration duration(String name, String value) {
        try {
            return DurationStyle.detectAndParse(value);
        } catch (IllegalArgumentException | ArithmeticException ex) {
            throw new IllegalArgumentException(
                    "The parameter '" + name + "' has to be a duration, such as 10m or PT10M");
        }
    }

    /** Whole milliseconds, as all moments of tasks. */
    static Instant now() {
        return Instant.ofEpochMilli(System.currentTimeMillis());
    }

    static TaskState state(@Nullable String value) {
        return switch (value == null ? "waiting" : value) {
            case "waiting" -> TaskState.SCHEDULED;
            case "leased" -> TaskState.LEASED;
            case "dead" -> TaskState.DEAD;
            default -> throw new IllegalArgumentException("The parameter 'state' has to be waiting, leased or dead");
        };
    }

    static BulkAction bulkAction(String value) {
        return Arrays.stream(BulkAction.values())
                .filter(action -> action.name().toLowerCase(Locale.ROOT).equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The action has to be one of "
                        + Arrays.stream(BulkAction.values())
                                .map(action -> action.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))));
    }

    /** @param header a name, an equals sign and a value */
    static TaskFilter filter(
            @Nullable String idPrefix,
            @Nullable String group,
            @Nullable String from,
            @Nullable String until,
            @Nullable String reason,
            @Nullable String header) {
        TaskFilter filter = TaskFilter.ALL.between(moment("from", from), moment("until", until));
        if (idPrefix != null && group != null) {
            throw new IllegalArgumentException("Give the parameter 'idPrefix' or 'group', not both");
        }
        if (idPrefix != null) {
            filter = filter.withIdPrefix(idPrefix);
        }
        if (group != null) {
            filter = filter.withGroup(group);
        }
        if (reason != null) {
            filter = filter.withReason(reason);
        }
        if (header == null) {
            return filter;
        }
        int equals = header.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("The parameter 'header' has to be a name, '=' and a value");
        }
        return filter.withHeader(header.substring(0, equals), header.substring(equals + 1));
    }
}
