// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.control.TaskView;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values (RFC 4180) in UTF-8. An apostrophe precedes text that a spreadsheet would run as a formula. It
 * also precedes text that begins with an apostrophe, so that different ids stay different.
 */
public final class CsvExport implements ExportFormat {

    private static final String FORMULA = "=+-@\t\r\n'\uff1d\uff0b\uff0d\uff20";

    @Override
    public String mediaType() {
        return "text/csv;charset=UTF-8";
    }

    @Override
    public String suffix() {
        return "csv";
    }

    @Override
    public String begin() {
        return "queue,id,state,dueAt,nextAttentionAt,failures,leaseExpiries,lastReason\r\n";
    }

    @Override
    public String row(TaskView task) {
        return List.of(
                                text(task.queue()),
                                text(task.id()),
                                task.state().name(),
                                task.dueAt().toString(),
                                task.nextAttentionAt().toString(),
                                String.valueOf(task.failures()),
                                String.valueOf(task.leaseExpiries()),
                                text(task.lastReason()))
                        .stream()
                        .collect(Collectors.joining(","))
                + "\r\n";
    }

    private static String text(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return "";
        }
        String safe = FORMULA.indexOf(text.charAt(0)) < 0 ? text : "'" + text;
        return '"' + safe.replace("\"", "\"\"") + '"';
    }

    @Override
    public String end() {
        return "";
    }
}
