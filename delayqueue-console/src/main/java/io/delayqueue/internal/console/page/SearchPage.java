// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Moments;
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

    Page show(ConsoleRequest request, Instant now) {
        Links links = new Links(request.base());
        Moments moments = new Moments(now);
        Caller caller = request.caller();
        String typed = request.fields(now).required("id");
        QueueResults<TaskDetails> exact = request.isRenewal() ? NONE : control.find(caller, typed);
        String id = exact.found().isEmpty() ? typed.strip() : typed;
        if (!id.equals(typed) && !request.isRenewal()) {
            exact = control.find(caller, id);
        }
        boolean isWide = exact.found().isEmpty() || request.fields(now).flag("all", false);
        View view = View.of("id", id)
                .with(
                        "rows",
                        exact.found().stream()
                                .map(task -> row(task, links, moments))
                                .toList())
                .with("hasRows", !exact.found().isEmpty())
                .with("groups", request.isRenewal() ? List.of() : groups(caller, id, links))
                .with("unreadable", QueuesPage.unreadable(exact.unreadable()))
                .with("isWide", isWide)
                .with("allLink", links.page("search").with("id", id).with("all", "true"));
        boolean isRunning = false;
        if (isWide) {
            SearchView search = control.search(caller, id, PATIENCE);
            isRunning = !search.hasEnded();
            describe(view, caller, search, id, links, moments);
        }
        return new Page("Results for \"" + id + "\"", "search", view, isRunning ? List.of("search-found") : List.of());
    }

    private void describe(View view, Caller caller, SearchView search, String id, Links links, Moments moments) {
        List<View> found = search.found().stream()
                .filter(each -> !each.task().id().equals(id))
                .sorted(Comparator.comparing(each -> each.task().nextAttentionAt()))
                .map(each -> View.of("id", each.task().id())
                        .with(
                                "link",
                                links.task(each.task().queue(), each.task().id()))
                        .with("queueName", each.task().queue())
                        .with("where", each.where())
                        .with("state", TaskRows.state(each.task().state()))
                        .with("nextAttentionAt", moments.view(each.task().nextAttentionAt())))
                .toList();
        List<View> past = search.past().stream()
                .map(each -> View.of("queueName", each.queue())
                        .with("link", links.task(each.queue(), id))
                        .with("event", each.last().event())
                        .with("at", moments.view(each.last().at())))
                .toList();
        boolean isNothing = search.hasEnded() && found.isEmpty() && past.isEmpty();
        List<View> histories = isNothing ? histories(caller, search, moments) : List.of();
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
    private List<View> histories(Caller caller, SearchView search, Moments moments) {
        return control.permissions(caller).entrySet().stream()
                .filter(queue -> queue.getValue().contains(QueuePermission.READ))
                .map(Map.Entry::getKey)
                .filter(queue ->
                        catalog.historyLength(queue) > 0 && !search.unreadable().containsKey(queue))
                .limit(MOST_HISTORIES)
                .flatMap(queue -> history(caller, queue, moments).stream())
                .toList();
    }

    private Optional<View> history(Caller caller, String queue, Moments moments) {
        try {
            Instant since = control.historySince(caller, queue).orElse(null);
            return Optional.of(View.of("queueName", queue)
                    .with("length", Numbers.grouped(catalog.historyLength(queue)))
                    .with("since", moments.view(since)));
        } catch (TaskStoreException ex) {
            return Optional.empty();
        }
    }

    /** Returns the groups of this name; none if the name is invalid. */
    private List<View> groups(Caller caller, String name, Links links) {
        try {
            return control.findGroup(caller, name).found().stream()
                    .map(group -> View.of("queueName", group.queue())
                            .with("count", Numbers.of(group.count(), "task"))
                            .with("link", links.tasks(group.queue()).with("group", name)))
                    .toList();
        } catch (InvalidTaskException ex) {
            return List.of();
        }
    }

    private static View row(TaskDetails task, Links links, Moments moments) {
        return View.of("queueName", task.queue())
                .with("link", links.task(task.queue(), task.id()))
                .with("state", TaskRows.state(task.state()))
                .with("dueAt", moments.view(task.dueAt()))
                .with("nextAttentionAt", moments.view(task.nextAttentionAt()))
                .with("lastReason", task.lastReason());
    }
}
