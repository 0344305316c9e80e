// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.AuditEntry;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.AuditPage;
import io.delayqueue.internal.control.QueueControl;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The changes that callers made or were refused. */
record ActivityPage(QueueControl control) {

    private static final int SIZE = 100;

    Page show(ConsoleRequest request) {
        String queue = blankToNull(request.parameter("queue"));
        AuditPage page = control.activity(request.caller(), queue, SIZE, blankToNull(request.parameter("after")));
        List<View> rows =
                page.entries().stream().map(entry -> row(entry, request)).toList();
        View view = View.of("rows", rows)
                .with("none", rows.isEmpty())
                .with("queue", queue)
                .with(
                        "nextLink",
                        page.next() == null
                                ? null
                                : request.links()
                                        .page("activity")
                                        .with("queue", queue)
                                        .with("after", page.next()));
        return new Page("Activity", "activity", view, List.of());
    }

    private static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    static View row(AuditEntry entry, ConsoleRequest request) {
        String id = entry.details().get("id");
        return View.of("at", request.moments().view(entry.at()))
                .with("who", entry.who())
                .with("action", entry.action().replace('-', ' '))
                .with("queueName", entry.queue())
                .with("queueLink", request.links().queue(entry.queue()))
                .with("taskId", id)
                .with("taskLink", id == null ? null : request.links().task(entry.queue(), id))
                .with("details", details(entry, request.moments()))
                .with("outcome", outcome(entry.outcome()))
                .with("outcomeTone", entry.outcome().matches("(?i)(failed|refused).*") ? "bad" : "")
                .with("count", entry.count() == 0 ? null : Numbers.grouped(entry.count()));
    }

    private static List<View> details(AuditEntry entry, Moments moments) {
        Map<String, String> details = new LinkedHashMap<>(entry.details());
        details.remove("id");
        String reason = entry.action().equals("pause") ? details.remove("reason") : null;
        List<View> words = new ArrayList<>(OperationsPage.words(details, moments));
        if (reason != null) {
            words.add(View.of("word", "reason " + reason).with("wordAt", null));
        }
        return words;
    }

    /** Returns the name of an outcome in words, such as "not found"; another text unchanged. */
    private static String outcome(String outcome) {
        return outcome.equals("IN_FLIGHT")
                ? "changed during a delivery"
                : outcome.matches("[A-Z_]+( \\d+)?")
                        ? outcome.toLowerCase(Locale.ROOT).replace('_', ' ')
                        : outcome;
    }
}
