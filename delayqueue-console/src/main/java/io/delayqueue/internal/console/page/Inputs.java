// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskState;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** What stands in the fields of a form. What cannot be read is an {@link IllegalArgumentException} that says what may. */
final class Inputs {

    static final String[] FILTER = {
        "idPrefix", "group", "from", "until", "reason", "exactReason", "withoutReason", "header"
    };

    private static final Pattern WITHOUT_UNIT = Pattern.compile("[+-]?\\d+");

    private final ConsoleRequest request;
    private final Instant now;

    Inputs(ConsoleRequest request, Instant now) {
        this.request = request;
        this.now = now;
    }

    String required(String name, String label) {
        String value = request.parameter(name);
        if (value == null) {
            throw new IllegalArgumentException("Fill in the field '" + label + "'");
        }
        return value;
    }

    int number(String name, String label, int otherwise) {
        String value = request.parameter(name);
        if (value == null) {
            return otherwise;
        }
        try {
            return Integer.parseInt(value.strip());
        } catch (NumberFormatException ex) {
            throw new IllegalArgumentException("The field '" + label + "' has to be a whole number");
        }
    }

    /** UTC, as fields for moments have it too; or how long from now. */
    @Nullable
    Instant moment(String name, String label) {
        String value = request.parameter(name);
        return value == null ? null : moment(value.strip(), label, now);
    }

    private static Instant moment(String value, String label, Instant now) {
        try {
            if (value.indexOf(':') < 0) {
                if (WITHOUT_UNIT.matcher(value).matches()) {
                    throw new IllegalArgumentException("Minutes, hours or days?");
                }
                return now.plus(DurationStyle.detectAndParse(value));
            }
            return value.endsWith("Z")
                    ? Instant.parse(value.replace(' ', 'T'))
                    : LocalDateTime.parse(value.replace(" UTC", "").replace(' ', 'T'))
                            .toInstant(ZoneOffset.UTC);
        } catch (IllegalArgumentException | DateTimeException | ArithmeticException ex) {
            throw new IllegalArgumentException(
                    "The field '" + label
                            + "' has to be a moment in UTC, such as 2030-12-24 18:00, or how long from now, such as 90m or -1d");
        }
    }

    TaskState state() {
        String value = request.parameter("state");
        return switch (value == null ? "waiting" : value) {
            case "waiting" -> TaskState.SCHEDULED;
            case "leased" -> TaskState.LEASED;
            case "dead" -> TaskState.DEAD;
            default -> throw new IllegalArgumentException("Tasks are waiting, leased or dead");
        };
    }

    BulkAction action() {
        String value = request.parameter("action");
        return Arrays.stream(BulkAction.values())
                .filter(action -> action.name().toLowerCase(Locale.ROOT).equals(value))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Choose what to do with the tasks"));
    }

    TaskFilter filter() {
        TaskFilter filter = TaskFilter.ALL.between(moment("from", "From"), moment("until", "Until"));
        String idPrefix = request.parameter("idPrefix");
        String group = request.parameter("group");
        if (idPrefix != null && group != null) {
            throw new IllegalArgumentException("Fill in either 'Id begins with' or 'Group'");
        }
        String reason = request.parameter("reason");
        String header = request.parameter("header");
        filter = idPrefix == null ? filter : filter.withIdPrefix(idPrefix);
        filter = group == null ? filter : filter.withGroup(group);
        filter = reason == null ? filter : filter.withReason(reason);
        filter = exactReason(filter);
        if (header == null) {
            return filter;
        }
        int equals = header.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("The field 'Header' has to be a name, '=' and a value");
        }
        return filter.withHeader(header.substring(0, equals), header.substring(equals + 1));
    }

    private TaskFilter exactReason(TaskFilter filter) {
        String exactReason = request.parameter("exactReason");
        boolean without = request.parameter("withoutReason") != null;
        if (exactReason == null && !without) {
            return filter;
        }
        if (!filter.reason().isEmpty() || (exactReason != null && without)) {
            throw new IllegalArgumentException("Only one of the fields about the reason can be filled in");
        }
        return filter.withExactReason(exactReason == null ? "" : exactReason);
    }

    /** The fields of the filter as they were filled in, for addresses and forms. */
    Map<String, String> filterFields() {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String name : FILTER) {
            String value = request.parameter(name);
            if (value != null) {
                fields.put(name, value);
            }
        }
        return fields;
    }
}
