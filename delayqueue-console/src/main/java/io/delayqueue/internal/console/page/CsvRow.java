// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.control.TaskView;
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
        return String.join(
                        ",",
                        text(task.queue()),
                        text(task.id()),
                        task.state().name(),
                        task.dueAt().toString(),
                        task.nextAttentionAt().toString(),
                        String.valueOf(task.failures()),
                        String.valueOf(task.leaseExpiries()),
                        text(task.lastReason()),
                        text(task.key()),
                        text(task.group()))
                + "\r\n";
    }

    private static String text(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return "";
        }
        String safe = FORMULA.indexOf(text.charAt(0)) < 0 ? text : "'" + text;
        return '"' + safe.replace("\"", "\"\"") + '"';
    }
}
