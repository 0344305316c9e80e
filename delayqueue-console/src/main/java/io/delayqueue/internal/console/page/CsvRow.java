// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.control.TaskView;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A line of comma-separated values (RFC 4180). Puts an apostrophe before text that a spreadsheet would run as a
 * formula, and before text that begins with an apostrophe, so that different ids stay different.
 */
final class CsvRow {

    /** The first line of a file. */
    static final String NAMES = "queue,id,state,dueAt,nextAttentionAt,failures,leaseExpiries,lastReason,key,group\r\n";

    private static final String FORMULA = "=+-@\t\r\n'\uff1d\uff0b\uff0d\uff20";

    private CsvRow() {}

    static String of(TaskView task) {
        return line(
                task.queue(),
                task.id(),
                task.state(),
                task.dueAt(),
                task.nextAttentionAt(),
                task.failures(),
                task.leaseExpiries(),
                task.lastReason(),
                task.key(),
                task.group());
    }

    /** Returns a line with these values. Only text is in quotes. */
    static String line(@Nullable Object... values) {
        return Stream.of(values)
                        .map(value -> value == null ? "" : value instanceof String text ? text(text) : value.toString())
                        .collect(Collectors.joining(","))
                + "\r\n";
    }

    private static String text(String text) {
        if (text.isEmpty()) {
            return "";
        }
        String safe = FORMULA.indexOf(text.charAt(0)) < 0 ? text : "'" + text;
        return '"' + safe.replace("\"", "\"\"") + '"';
    }
}
