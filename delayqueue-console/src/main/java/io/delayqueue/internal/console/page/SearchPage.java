// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueResults;
import io.delayqueue.internal.control.SearchView;
import io.delayqueue.internal.control.TaskDetails;
import io.delayqueue.internal.queue.QueueCatalog;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tasks with one id in all queues. If there are none, or on request, a background search also finds tasks whose id,
 * key, group or header contains the text.
 */
record SearchPage(QueueControl control, QueueCatalog catalog) {

    /** How long to wait for a search. In a small installation, a search ends within this time. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final int MOST_HISTORIES = 20;
    private static final QueueResults<TaskDetails> NONE = new QueueResults<>(List.of(), Map.of());

    Page show(ConsoleRequest request) {
        Caller caller = request.caller();
        String typed = request.fields().required("id");
        QueueResults<TaskDetails> exact = request.isRenewal() ? NONE : control.find(caller, typed);
        String id = exact.found().isEmpty() ? typed.strip() : typed;
        if (!id.equals(typed) && !request.isRenewal()) {
            exact = control.find(caller, id);
        }
        boolean isWide = exact.found().isEmpty() || request.fields().flag("all", false);
        View view = View.of("id", id)
                .with(
                        "rows",
                        exact.found().stream().map(task -> row(task, request)).toList())
                .with("hasRows", !exact.found().isEmpty())
                .with("groups", request.isRenewal() ? List.of() : groups(request, id))
                .with("unreadable", QueuesPage.unreadable(exact.unreadable()))
                .with("isWide", isWide)
                .with("allLink", request.links().page("search").with("id", id).with("all", "true"));
        boolean isRunning = false;
        if (isWide) {
            SearchView search = control.search(caller, id, PATIENCE);
            isRunning = !search.hasEnded();
            describe(view, request, search, id);
        }
        return new Page("Results for \"" + id + "\"", "search", view, isRunning ? List.of("search-found") : List.of());
    }

    private void describe(View view, ConsoleRequest request, SearchView search, String id) {
        List<View> found = search.found().stream()
                .filter(each -> !each.task().id().equals(id))
                .sorted(Comparator.comparing(each -> each.task().nextAttentionAt()))
                .map(each -> View.of("id", each.task().id())
                        .with(
                                "link",
                                request.links()
                                        .task(each.task().queue(), each.task().id()))
                        .with("queueName", each.task().queue())
                        .with("where", each.where())
                        .with("state", TaskRows.state(each.task().state()))
                        .with(
                                "nextAttentionAt",
                                request.moments().view(each.task().nextAttentionAt())))
                .toList();
        List<View> past = search.past().stream()
                .map(each -> View.of("queueName", each.queue())
                        .with("link", request.links().task(each.queue(), id))
                        .with("event", each.last().event())
                        .with("at", request.moments().view(each.last().at())))
                .toList();
        boolean isNothing = search.hasEnded() && found.isEmpty() && past.isEmpty();
        List<View> histories = isNothing ? histories(request, search) : List.of();
        view.with("found", found)
                .with("hasFound", !found.isEmpty())
                .with("foundCount", Numbers.of(found.size(), "task"))
                .with("past", past)
                .with("running", !search.hasEnded())
                .with("looked", Numbers.grouped(search.looked()))
                .with("lookedNumber", search.looked())
                .with("total", Numbers.of(search.total(), "task"))
                .with("totalNumber", Math.max(1, search.total()))
                .with("isPart", search.hasEnded() && !search.isComplete())
                .with("unsearched", QueuesPage.unreadable(search.unreadable()))
                .with("nothing", isNothing)
                .with("histories", histories)
                .with("noHistory", histories.isEmpty());
    }

    /** Returns the queues that keep a history. A delivered task can be found only there. */
    private List<View> histories(ConsoleRequest request, SearchView search) {
        return control.permissions(request.caller()).entrySet().stream()
                .filter(queue -> queue.getValue().contains(QueuePermission.READ))
                .map(Map.Entry::getKey)
                .filter(queue ->
                        catalog.historyLength(queue) > 0 && !search.unreadable().containsKey(queue))
                .limit(MOST_HISTORIES)
                .flatMap(queue -> history(request, queue).stream())
                .toList();
    }

    private Optional<View> history(ConsoleRequest request, String queue) {
        try {
            Instant since = control.historySince(request.caller(), queue).orElse(null);
            return Optional.of(View.of("queueName", queue)
                    .with("length", Numbers.grouped(catalog.historyLength(queue)))
                    .with("since", request.moments().view(since)));
        } catch (TaskStoreException ex) {
            return Optional.empty();
        }
    }

    /** Returns the groups of this name; none if the name is invalid. */
    private List<View> groups(ConsoleRequest request, String name) {
        try {
            return control.findGroup(request.caller(), name).found().stream()
                    .map(group -> View.of("queueName", group.queue())
                            .with("count", Numbers.of(group.count(), "task"))
                            .with("link", request.links().tasks(group.queue()).with("group", name)))
                    .toList();
        } catch (InvalidTaskException ex) {
            return List.of();
        }
    }

    private static View row(TaskDetails task, ConsoleRequest request) {
        return View.of("queueName", task.queue())
                .with("link", request.links().task(task.queue(), task.id()))
                .with("state", TaskRows.state(task.state()))
                .with("dueAt", request.moments().view(task.dueAt()))
                .with("nextAttentionAt", request.moments().view(task.nextAttentionAt()))
                .with("lastReason", task.lastReason());
    }
}
