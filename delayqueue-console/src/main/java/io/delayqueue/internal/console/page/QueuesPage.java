// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.QueueResults;
import io.delayqueue.control.QueueView;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All queues. */
final class QueuesPage {

    private final QueueControl control;
    private final QueueFigures figures;

    QueuesPage(QueueControl control, QueueFigures figures) {
        this.control = control;
        this.figures = figures;
    }

    Page show(ConsoleRequest request, Instant now) {
        Links links = new Links(request.base());
        QueueResults<QueueView> queues = control.queues(request.caller());
        Map<String, String> unreadable = new TreeMap<>(queues.unreadable());
        List<View> rows = new ArrayList<>();
        for (QueueView queue : queues.found()) {
            try {
                rows.add(figures.of(request.caller(), queue, links, now));
            } catch (TaskStoreCorruptException ex) {
                unreadable.put(queue.queue(), String.valueOf(ex.getMessage()));
            }
        }
        return new Page(
                "Queues",
                "queues",
                View.of("queues", rows)
                        .with("unreadable", unreadable(unreadable))
                        .with("none", rows.isEmpty() && unreadable.isEmpty()),
                List.of("queues-table"));
    }

    /** Returns what the template {@code unreadable} shows of queues. */
    static List<View> unreadable(Map<String, String> queues) {
        return queues.entrySet().stream()
                .map(queue -> View.of("queueName", queue.getKey()).with("error", queue.getValue()))
                .toList();
    }
}
