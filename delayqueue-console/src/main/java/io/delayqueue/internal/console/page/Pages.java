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

    private final QueueControl control;
    private final QueueCatalog catalog;
    private final QueueFigures figures;
    private final InstantSource clock;

    public Pages(QueueControl control, QueueCatalog catalog, InstantSource clock) {
        this.control = control;
        this.catalog = catalog;
        this.figures = new QueueFigures(control);
        this.clock = clock;
    }

    /** @param segments segments of the path */
    public Optional<Page> find(ConsoleRequest request, List<String> segments) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        if (segments.isEmpty()) {
            return Optional.of(new QueuesPage(control, figures).show(request, now));
        }
        return switch (segments.get(0) + segments.size()) {
            case "search1" -> Optional.of(new SearchPage(control, catalog).show(request, now));
            case "failures1" -> Optional.of(new ReasonsPage(control).worst(request, now));
            case "activity1" -> Optional.of(new ActivityPage(control).show(request, now));
            case "instances1" -> Optional.of(new InstancesPage(control).show(request, now));
            case "operations1" -> Optional.of(new OperationsPage(control).all(request, now));
            case "operations2" -> Optional.of(new OperationsPage(control).one(request, segments.get(1), now));
            case "queues2" -> Optional.of(new QueuePage(control, figures).show(request, segments.get(1), now));
            case "queues3" -> ofQueue(request, segments.get(1), segments.get(2), now);
            default -> Optional.empty();
        };
    }

    /** Returns the figures of all queues as comma-separated values. */
    public String csv(ConsoleRequest request) {
        return new QueuesPage(control, figures).csv(request.caller(), Instant.ofEpochMilli(clock.millis()));
    }

    /** Returns the page with the form whose input was refused; empty if there is none. */
    public Optional<Page> findForm(ConsoleRequest request, List<String> segments) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        if (segments.size() != 3) {
            return Optional.empty();
        }
        String name = segments.get(1);
        if (segments.get(0).equals("operations")) {
            return Optional.of(new OperationsPage(control).one(request, name, now));
        }
        return switch (segments.get(2)) {
            case "tasks" -> Optional.of(new TaskListPage(control).showInvalid(request, name, now));
            case "bulk" -> ofQueue(request, name, "bulk", now);
            case "chosen" -> ofQueue(request, name, "tasks", now);
            case "keys", "limit-key", "close-key", "open-key" -> ofQueue(request, name, "keys", now);
            default ->
                request.method().equals("GET")
                        ? Optional.empty()
                        : request.parameter("id") == null
                                ? Optional.of(new QueuePage(control, figures).show(request, name, now))
                                : ofQueue(request, name, "task", now);
        };
    }

    private Optional<Page> ofQueue(ConsoleRequest request, String name, String part, Instant now) {
        return switch (part) {
            case "tasks" -> Optional.of(new TaskListPage(control).show(request, name, now));
            case "task" -> Optional.of(new TaskPageView(control, catalog).show(request, name, now));
            case "reasons" -> Optional.of(new ReasonsPage(control).show(request, name, now));
            case "bulk" -> Optional.of(new BulkPage(control).show(request, name, now));
            case "keys" -> Optional.of(new KeysPage(control, catalog).show(request, name, now));
            default -> Optional.empty();
        };
    }
}
