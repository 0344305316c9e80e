// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.control.OperationView.Status;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All that another process has to know of an operation to show it and to go on with it.
 *
 * @param resumedBy who has resumed it last; null where nobody has
 * @param chosen the filter by which it goes, which may be narrower than the request's; null before it has begun
 * @param dueAt the due time that it gives to tasks; null where it gives none, and before it has begun
 * @param position where it goes on; null for the beginning
 */
record OperationRecord(
        BulkRequest request,
        OperationView view,
        @Nullable String resumedBy,
        @Nullable TaskFilter chosen,
        @Nullable Instant dueAt,
        @Nullable PagePosition position) {

    /** One that has not begun. */
    static OperationRecord of(BulkRequest request, String by, Instant startedAt) {
        return new OperationRecord(
                request,
                view(
                        UUID.randomUUID().toString(),
                        "",
                        request,
                        Status.STOPPED,
                        new Counts(0, 0, 0),
                        by,
                        startedAt,
                        null,
                        null),
                null,
                null,
                null,
                null);
    }

    /** On whose behalf it runs, or ran last. */
    String caller() {
        return resumedBy == null ? view.by() : resumedBy;
    }

    /** The same, which somebody else lets go on. */
    OperationRecord resumedBy(Caller caller) {
        return new OperationRecord(request, view, caller.name(), chosen, dueAt, position);
    }

    /** How many tasks were found, changed and left. */
    record Counts(long matched, long done, long left) {}

    static OperationView view(
            String handle,
            String process,
            BulkRequest request,
            Status status,
            Counts counts,
            String by,
            Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String error) {
        return new OperationView(
                handle,
                process,
                request.queue(),
                request.action(),
                request.asText(),
                request.dryRun(),
                status,
                counts.matched(),
                counts.done(),
                counts.left(),
                by,
                startedAt,
                endedAt,
                error);
    }

    /** The same, of an operation whose process is gone. */
    OperationRecord abandoned() {
        return new OperationRecord(
                request,
                view(
                        view.handle(),
                        view.process(),
                        request,
                        Status.FAILED,
                        new Counts(view.matched(), view.done(), view.left()),
                        view.by(),
                        view.startedAt(),
                        view.endedAt(),
                        "Process " + view.process() + " has not been heard of lately. The operation may be resumed"),
                resumedBy,
                chosen,
                dueAt,
                position);
    }

    /** A line for each part: its name, an equals sign, and its text with whatever may be special as in a URL. */
    String asText() {
        Map<String, @Nullable Object> parts = new LinkedHashMap<>();
        parts.put("queue", request.queue());
        parts.put("action", request.action());
        putFilter(parts, "", request.filter());
        parts.put("to", request.to());
        parts.put("perSecond", request.perSecond());
        parts.put("dryRun", request.dryRun());
        parts.put("process", view.process());
        parts.put("status", view.status());
        parts.put("matched", view.matched());
        parts.put("done", view.done());
        parts.put("left", view.left());
        parts.put("by", view.by());
        parts.put("resumedBy", resumedBy);
        parts.put("startedAt", view.startedAt());
        parts.put("endedAt", view.endedAt());
        parts.put("error", view.error());
        if (chosen != null) {
            parts.put("chosen", true);
            putFilter(parts, "chosen.", chosen);
        }
        parts.put("dueAt", dueAt);
        parts.put("position", position == null ? null : position.asText());
        StringBuilder text = new StringBuilder();
        parts.forEach((name, value) -> {
            if (value != null) {
                text.append(name)
                        .append('=')
                        .append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8))
                        .append('\n');
            }
        });
        return text.toString();
    }

    private static void putFilter(Map<String, @Nullable Object> parts, String prefix, TaskFilter filter) {
        parts.put(prefix + "idPrefix", filter.idPrefix());
        parts.put(prefix + "from", filter.from());
        parts.put(prefix + "until", filter.until());
        parts.put(prefix + "reason", filter.reason());
        parts.put(prefix + "exactReason", filter.exactReason());
        parts.put(prefix + "header", filter.header());
        parts.put(prefix + "headerValue", filter.headerValue());
    }

    /** @return null for a text that no process of this version wrote */
    static @Nullable OperationRecord parse(String handle, String text) {
        try {
            return read(handle, new Parts(text));
        } catch (IllegalArgumentException | DateTimeException ex) {
            return null;
        }
    }

    private static OperationRecord read(String handle, Parts parts) {
        BulkRequest request = new BulkRequest(
                parts.text("queue"),
                BulkAction.valueOf(parts.text("action")),
                parts.filter(""),
                parts.moment("to"),
                Integer.parseInt(parts.text("perSecond")),
                Boolean.parseBoolean(parts.text("dryRun")));
        Instant startedAt = parts.moment("startedAt");
        if (startedAt == null) {
            throw new IllegalArgumentException("An operation has a beginning");
        }
        return new OperationRecord(
                request,
                view(
                        handle,
                        parts.text("process"),
                        request,
                        Status.valueOf(parts.text("status")),
                        new Counts(
                                Long.parseLong(parts.text("matched")),
                                Long.parseLong(parts.text("done")),
                                Long.parseLong(parts.text("left"))),
                        parts.text("by"),
                        startedAt,
                        parts.moment("endedAt"),
                        parts.orNull("error")),
                parts.orNull("resumedBy"),
                parts.orNull("chosen") == null ? null : parts.filter("chosen."),
                parts.moment("dueAt"),
                parts.orNull("position") == null ? null : PagePosition.parse(parts.text("position")));
    }

    /** The parts of a text by their names. */
    private static final class Parts {

        private final Map<String, String> byName = new LinkedHashMap<>();

        Parts(String text) {
            text.lines().forEach(line -> {
                int equals = line.indexOf('=');
                if (equals > 0) {
                    byName.put(
                            line.substring(0, equals),
                            URLDecoder.decode(line.substring(equals + 1), StandardCharsets.UTF_8));
                }
            });
        }

        @Nullable
        String orNull(String name) {
            return byName.get(name);
        }

        String text(String name) {
            String value = byName.get(name);
            if (value == null) {
                throw new IllegalArgumentException("There is no " + name);
            }
            return value;
        }

        @Nullable
        Instant moment(String name) {
            String value = byName.get(name);
            return value == null ? null : Instant.parse(value);
        }

        TaskFilter filter(String prefix) {
            return new TaskFilter(
                    text(prefix + "idPrefix"),
                    moment(prefix + "from"),
                    moment(prefix + "until"),
                    text(prefix + "reason"),
                    Boolean.parseBoolean(text(prefix + "exactReason")),
                    text(prefix + "header"),
                    text(prefix + "headerValue"));
        }
    }
}
