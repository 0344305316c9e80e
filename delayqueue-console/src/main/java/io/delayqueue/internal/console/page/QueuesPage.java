// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.QueueControl;
import io.delayqueue.control.QueueView;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.time.Instant;
import java.util.List;

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
        List<QueueView> queues = control.queues(request.caller());
        return new Page(
                "Queues",
                "queues",
                View.of(
                                "queues",
                                queues.stream()
                                        .map(queue -> figures.of(request.caller(), queue, links, now))
                                        .toList())
                        .with("none", queues.isEmpty()),
                List.of("queues-table"));
    }
}
