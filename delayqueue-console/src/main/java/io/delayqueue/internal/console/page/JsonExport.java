// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.control.TaskView;
import org.jspecify.annotations.Nullable;

/** An array of objects, with the names that the endpoint gives to the same values. */
public final class JsonExport implements ExportFormat {

    private boolean isFirst = true;

    @Override
    public String mediaType() {
        return "application/json";
    }

    @Override
    public String suffix() {
        return "json";
    }

    @Override
    public String begin() {
        return "[";
    }

    @Override
    public String row(TaskView task) {
        StringBuilder row = new StringBuilder(isFirst ? "\n{" : ",\n{");
        isFirst = false;
        text(row, "queue", task.queue());
        text(row.append(','), "id", task.id());
        text(row.append(','), "state", task.state().name());
        text(row.append(','), "dueAt", task.dueAt().toString());
        text(row.append(','), "nextAttentionAt", task.nextAttentionAt().toString());
        row.append(",\"failures\":").append(task.failures());
        row.append(",\"leaseExpiries\":").append(task.leaseExpiries());
        text(row.append(','), "lastReason", task.lastReason());
        return row.append('}').toString();
    }

    private static void text(StringBuilder to, String name, @Nullable String value) {
        to.append('"').append(name).append("\":");
        if (value == null) {
            to.append("null");
            return;
        }
        to.append('"');
        value.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                to.append('\\').append((char) c);
            } else if (c < 0x20
                    || c == '<'
                    || c == '>'
                    || c == 0x7f
                    || Character.isSurrogate((char) c)
                    || c == 0x2028
                    || c == 0x2029) {
                to.append("\\u%04x".formatted(c));
            } else {
                to.append((char) c);
            }
        });
        to.append('"');
    }

    @Override
    public String end() {
        return "\n]\n";
    }
}
