// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreException;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.page.QueueFigures.Figures;
import io.delayqueue.internal.console.page.QueueFigures.Status;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.DeadReasons;
import io.delayqueue.internal.control.DueCounts;
import io.delayqueue.internal.control.DueKinds;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.TooManyScansException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The page of a queue: status, past and future deliveries, and actions. */
record QueuePage(QueueControl control, QueueFigures figures) {

    private static final int NEXT = 5;
    private static final int REASONS = 5;
    private static final int CHANGES = 5;

    Page show(ConsoleRequest request, String name) {
        Links links = request.links();
        QueueView queue = control.queue(request.caller(), name);
        Figures read = figures.read(request.caller(), queue, request.now());
        Zoom zoom = Zoom.of(request.parameter("zoom"));
        Instant from = request.fields().moment("from");
        Moments moments = request.moments();
        Instant begin = from == null ? request.now().truncatedTo(zoom.begins()) : from;
        Timeline timeline = new Timeline(name, links, zoom, begin, moments);
        DueCounts counts = control.dueCounts(request.caller(), name, begin, zoom.width(), zoom.slices());
        DueKinds kinds = control.dueKinds(request.caller(), name, begin, zoom.width(), zoom.slices());
        ChronoUnit unit = from == null ? zoom.past() : null;
        // A chart of hours reads many of them and hardly changes, so an open page keeps it.
        boolean keepsChart = request.isRenewal() && unit == ChronoUnit.HOURS;
        PastChart past = unit == null || keepsChart
                ? null
                : PastChart.read(control, request.caller(), name, zoom, unit, request.now());
        String typedReason = request.method().equals("POST") ? request.parameter("reason") : null;
        View view = figures.view(read, links)
                .with("queue", name)
                .with("tabs", QueueFigures.tabs(queue, links, "Overview"))
                .with("banner", read.status() != Status.RUNNING)
                .with("bannerTone", Attention.isMild(read.status()) ? "warn" : "")
                .with("bannerLink", read.status() == Status.FAILING ? links.of(name, "reasons") : null)
                .with("parts", Attention.parts(read, moments))
                .with("keepsChart", keepsChart)
                .with(
                        "pauseReason",
                        typedReason != null || queue.pause() == null
                                ? typedReason
                                : queue.pause().reason())
                .with(
                        "pauseUntil",
                        queue.pause() == null
                                ? null
                                : moments.view(queue.pause().until()))
                .with(
                        "isEndless",
                        queue.paused()
                                && (queue.pause() == null || queue.pause().until() == null))
                .with("future", timeline.view(counts, kinds, past))
                .with("bulkLink", links.of(name, "bulk"))
                .with("reshardLink", links.of(name, "reshard"))
                .with("purgeLink", links.of(name, "purge"));
        processes(view, request, name);
        next(view, request, queue);
        reasons(view, request, queue);
        activity(view, request, name);
        String mark = read.status() == Status.RUNNING ? "" : "(" + read.status().label() + ") ";
        return new Page(
                        mark + name,
                        "queue",
                        view,
                        List.of("queue-head", "queue-figures", "timeline", "queue-next", "queue-processes"))
                .headed(name, "queue-head")
                .below(links.homeCrumb());
    }

    /**
     * Adds the processes that deliver the queue and their settings. Their notes may be on another server than the
     * queue, so the page is shown without them if that server does not answer.
     */
    private void processes(View view, ConsoleRequest request, String queue) {
        List<View> processes = List.of();
        List<View> settings = List.of();
        String trouble = null;
        try {
            processes = control.instances(request.caller(), false).stream()
                    .filter(instance -> instance.queues().contains(queue))
                    .map(instance -> InstancesPage.row(instance, request))
                    .toList();
            settings = control.settings(request.caller(), queue).entrySet().stream()
                    .map(setting -> View.of("setting", setting.getKey())
                            .with("value", String.join(" / ", setting.getValue()))
                            .with("differs", setting.getValue().size() > 1))
                    .toList();
        } catch (TaskStoreException ex) {
            trouble = ex.getMessage();
        }
        view.with("processes", processes)
                .with("hasProcesses", !processes.isEmpty())
                .with("noProcesses", processes.isEmpty() && trouble == null)
                .with("processTrouble", trouble)
                .with("settings", settings)
                .with("hasSettings", !settings.isEmpty());
    }

    /** Adds the last changes. Reads them only when a page is opened; none if their server does not answer. */
    private void activity(View view, ConsoleRequest request, String queue) {
        List<View> changes = List.of();
        try {
            if (!request.isRenewal()) {
                changes = control.activity(request.caller(), queue, CHANGES, null).entries().stream()
                        .map(entry -> ActivityPage.row(entry, request))
                        .toList();
            }
        } catch (TaskStoreException ex) {
            // The page shows the queue without its last changes.
        }
        view.with("changes", changes)
                .with("noChanges", changes.isEmpty())
                .with("activityLink", request.links().page("activity").with("queue", queue))
                .with("instancesLink", request.links().page("instances"));
    }

    private void next(View view, ConsoleRequest request, QueueView queue) {
        boolean operates = queue.permissions().contains(QueuePermission.OPERATE);
        List<View> rows = new TaskRows(request.links(), request.moments())
                .of(control.tasks(request.caller(), queue.queue(), TaskState.SCHEDULED, TaskFilter.ALL, NEXT, null)
                        .tasks());
        rows.forEach(row -> row.with(
                "deliverLink",
                operates ? request.links().of(queue.queue(), "deliver").with("id", row.get("id")) : null));
        view.with("next", rows).with("noneNext", rows.isEmpty());
    }

    /** Adds the reasons. Reads them only when a page is opened, because this reads many tasks. */
    private void reasons(View view, ConsoleRequest request, QueueView queue) {
        DeadReasons found = new DeadReasons(List.of(), List.of(), 0, true);
        boolean isRefused = false;
        if (queue.dead() > 0 && !request.isRenewal()) {
            try {
                found = control.deadReasons(request.caller(), queue.queue());
            } catch (TooManyScansException ex) {
                isRefused = true;
            }
        }
        long looked = found.looked();
        List<View> top = found.kinds().stream()
                .limit(REASONS)
                .map(kind -> ReasonsPage.view(kind, queue.queue(), looked, request))
                .toList();
        view.with("topReasons", top)
                .with("hasReasons", !top.isEmpty())
                .with("reasonsRefused", isRefused)
                .with("reasonsTotal", looked == 0 ? null : Numbers.of(looked, "dead task"));
    }
}
