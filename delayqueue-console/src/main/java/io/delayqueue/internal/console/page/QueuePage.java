// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.admin.DueCounts;
import io.delayqueue.admin.DueKinds;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.QueueView;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.web.Parameters;
import java.time.Instant;
import java.util.List;

/** One queue: its numbers, its future, and what can be done to it. */
final class QueuePage {

    private final QueueControl control;
    private final QueueFigures figures;

    QueuePage(QueueControl control, QueueFigures figures) {
        this.control = control;
        this.figures = figures;
    }

    Page show(ConsoleRequest request, String name, Instant now) {
        Links links = new Links(request.base());
        QueueView queue = control.queue(request.caller(), name);
        Parameters fields = request.fields(now);
        Zoom zoom = Zoom.of(request.parameter("zoom"));
        Instant from = fields.moment("from");
        Instant begin = from == null ? now.truncatedTo(zoom.begins()) : from;
        DueCounts counts = control.dueCounts(request.caller(), name, begin, zoom.width(), zoom.slices());
        DueKinds kinds = control.dueKinds(request.caller(), name, begin, zoom.width(), zoom.slices());
        View view = figures.of(request.caller(), queue, links, now);
        view.with("queue", name)
                .with("future", new Histogram(name, links, zoom).view(counts, kinds))
                .with("past", past(request, fields, name, links, now))
                .with("bulkLink", links.of(name, "bulk"));
        for (String action : new String[] {"pause", "resume", "reshard", "purge"}) {
            view.with(action + "Link", links.of(name, action));
        }
        return new Page("Queue " + name, "queue", view, List.of("queue-figures", "histogram", "past"));
    }

    private View past(ConsoleRequest request, Parameters fields, String name, Links links, Instant now) {
        int hours = Math.max(1, Math.min(Past.LONGEST_HOURS, fields.number("hours", 1)));
        Past past = new Past(name, links, hours, now);
        return past.view(control.rates(request.caller(), name, past.begin(), past.end()));
    }
}
