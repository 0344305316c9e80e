// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskState;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.TaskPage;
import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.web.Parameters;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tasks of one state, a page at a time. */
final class TaskListPage {

    private static final int PAGE = 50;

    private final QueueControl control;

    TaskListPage(QueueControl control) {
        this.control = control;
    }

    Page show(ConsoleRequest request, String queue, Instant now) {
        Links links = new Links(request.base());
        Parameters fields = request.fields(now);
        TaskState state = fields.state();
        TaskPage page = control.tasks(
                request.caller(),
                queue,
                state,
                fields.filter(),
                fields.number("size", PAGE),
                request.parameter("after"));
        String stateName = name(state);
        Map<String, String> filter = fields.filterTexts();
        Address self = links.tasks(queue).with("state", stateName).with(filter).with("size", request.parameter("size"));
        View view = View.of("queue", queue)
                .with("queueLink", links.queue(queue))
                .with("action", links.tasks(queue))
                .with("rows", new TaskRows(links, new Moments(now)).of(page.tasks()))
                .with("none", page.tasks().isEmpty())
                .with("moreAlthoughNone", page.tasks().isEmpty() && page.next() != null)
                .with("nextLink", page.next() == null ? null : self.with("after", page.next()))
                .with("firstLink", request.parameter("after") == null ? null : self)
                .with(
                        "csvLink",
                        links.of(queue, "tasks.csv").with("state", stateName).with(filter))
                .with(
                        "jsonLink",
                        links.of(queue, "tasks.json").with("state", stateName).with(filter))
                .with(
                        "bulkLink",
                        state == TaskState.LEASED
                                ? null // what is done to many tasks is done to those that wait or are dead
                                : links.of(queue, "bulk")
                                        .with("state", stateName)
                                        .with(filter))
                .with("reasonsLink", state == TaskState.DEAD ? links.of(queue, "reasons") : null)
                .with("zoomLink", zoom(links, queue, fields))
                .with("momentTitle", momentTitle(state));
        FilterFields.into(view, stateName, filter);
        return new Page(title(state, queue), "tasks", view, List.of());
    }

    /** The histogram of the same window, where it has both ends. */
    private static @Nullable Address zoom(Links links, String queue, Parameters fields) {
        Instant from = fields.moment("from");
        Instant until = fields.moment("until");
        return from == null || until == null || !from.isBefore(until)
                ? null
                : links.queue(queue)
                        .with("from", from)
                        .with("zoom", Zoom.fitting(from, until).label());
    }

    static String name(TaskState state) {
        return switch (state) {
            case SCHEDULED -> "waiting";
            case LEASED -> "leased";
            case DEAD -> "dead";
        };
    }

    private static String title(TaskState state, String queue) {
        return switch (state) {
            case SCHEDULED -> "Tasks that wait in " + queue;
            case LEASED -> "Tasks under delivery in " + queue;
            case DEAD -> "Dead tasks of " + queue;
        };
    }

    private static String momentTitle(TaskState state) {
        return switch (state) {
            case SCHEDULED -> "Tried next";
            case LEASED -> "Lease ends";
            case DEAD -> "Died";
        };
    }
}
