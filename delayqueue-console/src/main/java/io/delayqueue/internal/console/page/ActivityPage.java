// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.AuditEntry;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.AuditPage;
import io.delayqueue.internal.control.QueueControl;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The changes that callers made or were refused. */
final class ActivityPage {

    private static final int SIZE = 100;

    private final QueueControl control;

    ActivityPage(QueueControl control) {
        this.control = control;
    }

    Page show(ConsoleRequest request, Instant now) {
        Links links = new Links(request.base());
        String queue = blankToNull(request.parameter("queue"));
        AuditPage page = control.activity(request.caller(), queue, SIZE, blankToNull(request.parameter("after")));
        Moments moments = new Moments(now);
        List<View> rows =
                page.entries().stream().map(entry -> row(entry, links, moments)).toList();
        View view = View.of("rows", rows)
                .with("none", rows.isEmpty())
                .with("queue", queue)
                .with(
                        "nextLink",
                        page.next() == null
                                ? null
                                : links.page("activity").with("queue", queue).with("after", page.next()));
        return new Page("Activity", "activity", view, List.of());
    }

    private static @Nullable String blankToNull(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    static View row(AuditEntry entry, Links links, Moments moments) {
        String id = entry.details().get("id");
        return View.of("at", moments.view(entry.at()))
                .with("who", entry.who())
                .with("action", entry.action())
                .with("queueName", entry.queue())
                .with("queueLink", links.queue(entry.queue()))
                .with("taskId", id)
                .with("taskLink", id == null ? null : links.task(entry.queue(), id))
                .with(
                        "details",
                        entry.details().entrySet().stream()
                                .filter(detail -> !detail.getKey().equals("id"))
                                .map(detail -> detail.getKey() + " " + detail.getValue())
                                .collect(Collectors.joining(" · ")))
                .with("outcome", entry.outcome())
                .with("outcomeTone", entry.outcome().matches("(?i)(failed|refused).*") ? "bad" : "")
                .with("count", entry.count() == 0 ? null : Numbers.grouped(entry.count()));
    }
}
