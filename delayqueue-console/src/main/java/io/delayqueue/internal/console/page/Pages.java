// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.queue.QueueCatalog;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** The pages by their addresses. */
public final class Pages {

    private final InstantSource clock;
    private final QueuesPage queues;
    private final QueuePage queue;
    private final TaskListPage tasks;
    private final TaskPageView task;
    private final SearchPage search;
    private final ReasonsPage reasons;
    private final BulkPage bulk;
    private final KeysPage keys;
    private final InstancesPage instances;
    private final OperationsPage operations;
    private final ActivityPage activity;

    public Pages(QueueControl control, QueueCatalog catalog, InstantSource clock) {
        this.clock = clock;
        QueueFigures figures = new QueueFigures(control);
        this.queues = new QueuesPage(control, figures);
        this.queue = new QueuePage(control, figures);
        this.tasks = new TaskListPage(control);
        this.task = new TaskPageView(control, catalog);
        this.search = new SearchPage(control, catalog);
        this.reasons = new ReasonsPage(control);
        this.bulk = new BulkPage(control);
        this.keys = new KeysPage(control, catalog);
        this.instances = new InstancesPage(control);
        this.operations = new OperationsPage(control);
        this.activity = new ActivityPage(control);
    }

    public Optional<Page> find(ConsoleRequest request, List<String> segments) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        if (segments.isEmpty()) {
            return Optional.of(queues.show(request, now));
        }
        return switch (segments.get(0) + segments.size()) {
            case "search1" -> Optional.of(search.show(request, now));
            case "failures1" -> Optional.of(reasons.worst(request, now));
            case "activity1" -> Optional.of(activity.show(request, now));
            case "instances1" -> Optional.of(instances.show(request, now));
            case "operations1" -> Optional.of(operations.all(request, now));
            case "operations2" -> Optional.of(operations.one(request, segments.get(1), now));
            case "queues2" -> Optional.of(queue.show(request, segments.get(1), now));
            case "queues3" -> ofQueue(request, segments.get(1), segments.get(2), now);
            default -> Optional.empty();
        };
    }

    /** Returns the page with the form whose input was refused; empty if there is none. */
    public Optional<Page> findForm(ConsoleRequest request, List<String> segments) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        if (segments.size() != 3) {
            return Optional.empty();
        }
        String name = segments.get(1);
        if (segments.get(0).equals("operations")) {
            return Optional.of(operations.one(request, name, now));
        }
        return switch (segments.get(2)) {
            case "tasks" -> Optional.of(tasks.showInvalid(request, name, now));
            case "bulk" -> Optional.of(bulk.show(request, name, now));
            case "keys", "limit-key", "close-key", "open-key" -> Optional.of(keys.show(request, name, now));
            default ->
                request.method().equals("GET")
                        ? Optional.empty()
                        : request.parameter("id") == null
                                ? Optional.of(queue.show(request, name, now))
                                : Optional.of(task.show(request, name, now));
        };
    }

    private Optional<Page> ofQueue(ConsoleRequest request, String name, String part, Instant now) {
        return switch (part) {
            case "tasks" -> Optional.of(tasks.show(request, name, now));
            case "task" -> Optional.of(task.show(request, name, now));
            case "reasons" -> Optional.of(reasons.show(request, name, now));
            case "bulk" -> Optional.of(bulk.show(request, name, now));
            case "keys" -> Optional.of(keys.show(request, name, now));
            default -> Optional.empty();
        };
    }
}
