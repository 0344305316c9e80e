// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueResults;
import io.delayqueue.internal.control.TaskDetails;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tasks with one id in all queues. */
final class SearchPage {

    private final QueueControl control;

    SearchPage(QueueControl control) {
        this.control = control;
    }

    Page show(ConsoleRequest request, Instant now) {
        Links links = new Links(request.base());
        String typed = request.fields(now).required("id");
        Moments moments = new Moments(now);
        QueueResults<TaskDetails> results = control.find(request.caller(), typed);
        String id = results.found().isEmpty() ? typed.strip() : typed;
        if (!id.equals(typed)) {
            results = control.find(request.caller(), id);
        }
        List<View> found =
                results.found().stream().map(task -> row(task, links, moments)).toList();
        List<View> groups = groups(request.caller(), id, links);
        List<View> begins = control.permissions(request.caller()).entrySet().stream()
                .filter(queue -> queue.getValue().contains(QueuePermission.READ))
                .map(Map.Entry::getKey)
                .map(queue -> View.of("queueName", queue)
                        .with("link", links.tasks(queue).with("idPrefix", id))
                        .with(
                                "deadLink",
                                links.tasks(queue).with("state", "dead").with("idPrefix", id)))
                .toList();
        return new Page(
                "Results for \"" + id + "\"",
                "search",
                View.of("id", id)
                        .with("rows", found)
                        .with("groups", groups)
                        .with("none", found.isEmpty() && results.unreadable().isEmpty())
                        .with("unreadable", QueuesPage.unreadable(results.unreadable()))
                        .with("begins", begins),
                List.of());
    }

    /** Returns the groups of this name; none if no group can have it. */
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
        @Nullable View nextAttentionAt = moments.view(task.nextAttentionAt());
        return View.of("queueName", task.queue())
                .with("link", links.task(task.queue(), task.id()))
                .with("state", TaskRows.state(task.state()))
                .with("dueAt", moments.view(task.dueAt()))
                .with("nextAttentionAt", nextAttentionAt)
                .with("lastReason", task.lastReason());
    }
}
