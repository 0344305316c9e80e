// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskState;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.TaskViews;
import io.delayqueue.internal.control.web.Parameters;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A page of the tasks in one state. */
record TaskListPage(QueueControl control) {

    private static final int PAGE = 50;

    private static final Map<String, String> SCHEDULED = Map.of("from", "0s");
    private static final Map<String, String> OVERDUE = Map.of("until", "0s");
    private static final Map<String, String> RETRYING = Map.of("retrying", "true");

    Page show(ConsoleRequest request, String queue) {
        Parameters fields = request.fields();
        TaskState state = fields.state();
        TaskViews page = control.tasks(
                request.caller(),
                queue,
                state,
                fields.filter(),
                fields.number("size", PAGE),
                request.parameter("after"));
        return show(request, queue, state, page, fields.filterAddress(), zoom(request, queue, fields));
    }

    /** Returns the page for an invalid filter: the form with the user's input, and no tasks. */
    Page showInvalid(ConsoleRequest request, String queue) {
        String state = request.parameter("state");
        TaskState shown =
                "dead".equals(state) ? TaskState.DEAD : "leased".equals(state) ? TaskState.LEASED : TaskState.SCHEDULED;
        Page page = show(request, queue, shown, new TaskViews(List.of(), null), Map.of(), null);
        page.view().with("isRefused", true);
        return page;
    }

    private Page show(
            ConsoleRequest request,
            String queue,
            TaskState state,
            TaskViews page,
            Map<String, String> filter,
            @Nullable Address zoomLink) {
        Links links = request.links();
        Map<String, String> typed = request.fields().filterTexts();
        String stateName = name(state);
        String after = request.parameter("after");
        Map<String, String> query = new LinkedHashMap<>(Map.of("state", stateName));
        query.putAll(filter);
        query.put("size", Objects.requireNonNullElse(request.parameter("size"), ""));
        Address self = links.tasks(queue).with(query);
        QueueView home = control.queue(request.caller(), queue);
        boolean hasDue = page.tasks().stream().anyMatch(task -> !task.dueAt().equals(task.nextAttentionAt()));
        String tab = tab(state, filter);
        boolean isTab = isTab(state, filter);
        // Only scheduled and dead tasks can be changed together.
        boolean changes = state != TaskState.LEASED && home.permissions().contains(QueuePermission.OPERATE);
        View view = View.of("queue", queue)
                .with("tabs", QueueFigures.tabs(home, links, tab))
                .with("hasDue", hasDue)
                .with("isRefused", false)
                .with("filtered", !typed.isEmpty() && !isTab)
                .with("count", count(request, home, state, filter, page))
                .with("hasPages", page.next() != null || after != null)
                .with("action", links.tasks(queue))
                .with("rows", new TaskRows(links, request.moments()).of(page.tasks()))
                .with(
                        "chosenLink",
                        changes ? links.of(queue, "chosen").with(query).with("after", after) : null)
                .with(
                        "allLink",
                        typed.isEmpty() || isTab ? null : links.tasks(queue).with("state", stateName))
                .with("none", page.tasks().isEmpty())
                .with("moreAlthoughNone", page.tasks().isEmpty() && page.next() != null)
                .with("nextLink", page.next() == null ? null : self.with("after", page.next()))
                .with("firstLink", after == null ? null : self)
                .with(
                        "csvLink",
                        links.of(queue, "tasks.csv").with("state", stateName).with(filter))
                .with(
                        "bulkLink",
                        changes
                                ? links.of(queue, "bulk")
                                        .with("state", stateName)
                                        .with(filter)
                                : null)
                .with("reasonsLink", state == TaskState.DEAD ? links.of(queue, "reasons") : null)
                .with("zoomLink", zoomLink)
                .with("momentTitle", momentTitle(state));
        // The time range of a tab would exclude all tasks in another state.
        FilterFields.into(view, stateName, isTab ? Map.of() : typed);
        return new Page(tab + " in " + queue, "tasks", view, List.of())
                .headed(queue, null)
                .below(links.homeCrumb());
    }

    private static String tab(TaskState state, Map<String, String> filter) {
        return switch (state) {
            case SCHEDULED ->
                filter.equals(RETRYING) ? "Retrying" : "0s".equals(filter.get("until")) ? "Overdue" : "Scheduled";
            case LEASED -> "In progress";
            case DEAD -> "Dead";
        };
    }

    /** Returns whether the filter is exactly that of a tab. */
    private static boolean isTab(TaskState state, Map<String, String> filter) {
        return state == TaskState.SCHEDULED
                && (filter.equals(SCHEDULED) || filter.equals(OVERDUE) || filter.equals(RETRYING));
    }

    /**
     * Returns how many tasks match: the exact number if that is cheap, otherwise the number on this page as a minimum;
     * null if unknown.
     */
    private @Nullable String count(
            ConsoleRequest request, QueueView queue, TaskState state, Map<String, String> filter, TaskViews page) {
        boolean isFirst = request.parameter("after") == null;
        int size = page.tasks().size();
        if (isFirst && page.next() == null) {
            return Numbers.of(size, "task");
        }
        Long exact = filter.equals(SCHEDULED)
                ? Long.valueOf(queue.delayed())
                : filter.equals(OVERDUE)
                        ? Long.valueOf(queue.ready() + queue.heldBack())
                        : control.total(
                                request.caller(),
                                queue.queue(),
                                state,
                                request.fields().filter());
        return exact != null
                ? Numbers.of(exact, "task")
                : isFirst && size > 0 ? Numbers.grouped(size) + "+ tasks" : null;
    }

    /** Returns a link to the histogram of the same window, if the window has a start and an end. */
    private static @Nullable Address zoom(ConsoleRequest request, String queue, Parameters fields) {
        Instant from = fields.moment("from");
        Instant until = fields.moment("until");
        return from == null || until == null || !from.isBefore(until)
                ? null
                : request.links()
                        .queue(queue)
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

    private static String momentTitle(TaskState state) {
        return switch (state) {
            case SCHEDULED -> "Next attempt";
            case LEASED -> "Lease ends";
            case DEAD -> "Died";
        };
    }
}
