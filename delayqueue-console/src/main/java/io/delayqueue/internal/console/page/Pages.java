// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.queue.QueueCatalog;
import java.util.List;
import java.util.Optional;

/** The pages by their addresses. */
public final class Pages {

    private final QueueControl control;
    private final QueueCatalog catalog;
    private final QueueFigures figures;

    public Pages(QueueControl control, QueueCatalog catalog) {
        this.control = control;
        this.catalog = catalog;
        this.figures = new QueueFigures(control);
    }

    /** @param segments segments of the path */
    public Optional<Page> find(ConsoleRequest request, List<String> segments) {
        if (segments.isEmpty()) {
            return Optional.of(new QueuesPage(control, figures).show(request));
        }
        return switch (segments.get(0) + segments.size()) {
            case "search1" -> Optional.of(new SearchPage(control, catalog).show(request));
            case "failures1" -> Optional.of(new ReasonsPage(control).worst(request));
            case "activity1" -> Optional.of(new ActivityPage(control).show(request));
            case "instances1" -> Optional.of(new InstancesPage(control).show(request));
            case "operations1" -> Optional.of(new OperationsPage(control).all(request));
            case "operations2" -> Optional.of(new OperationsPage(control).one(request, segments.get(1)));
            case "queues2" -> Optional.of(new QueuePage(control, figures).show(request, segments.get(1)));
            case "queues3" -> ofQueue(request, segments.get(1), segments.get(2));
            default -> Optional.empty();
        };
    }

    /** Returns the figures of all queues as comma-separated values. */
    public String csv(ConsoleRequest request) {
        return new QueuesPage(control, figures).csv(request);
    }

    /** Returns the page with the form whose input was refused; empty if there is none. */
    public Optional<Page> findForm(ConsoleRequest request, List<String> segments) {
        if (segments.size() != 3) {
            return Optional.empty();
        }
        String name = segments.get(1);
        if (segments.get(0).equals("operations")) {
            return Optional.of(new OperationsPage(control).one(request, name));
        }
        return switch (segments.get(2)) {
            case "tasks" -> Optional.of(new TaskListPage(control).showInvalid(request, name));
            case "bulk" -> ofQueue(request, name, "bulk");
            case "chosen" -> ofQueue(request, name, "tasks");
            case "keys", "limit-key", "close-key", "open-key" -> ofQueue(request, name, "keys");
            default ->
                request.method().equals("GET")
                        ? Optional.empty()
                        : request.parameter("id") == null
                                ? Optional.of(new QueuePage(control, figures).show(request, name))
                                : ofQueue(request, name, "task");
        };
    }

    private Optional<Page> ofQueue(ConsoleRequest request, String name, String part) {
        return switch (part) {
            case "tasks" -> Optional.of(new TaskListPage(control).show(request, name));
            case "task" -> Optional.of(new TaskPageView(control, catalog).show(request, name));
            case "reasons" -> Optional.of(new ReasonsPage(control).show(request, name));
            case "bulk" -> Optional.of(new BulkPage(control).show(request, name));
            case "keys" -> Optional.of(new KeysPage(control, catalog).show(request, name));
            default -> Optional.empty();
        };
    }
}
