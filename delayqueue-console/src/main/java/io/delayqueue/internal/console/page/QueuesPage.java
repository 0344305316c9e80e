// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.QueueControl;
import io.delayqueue.control.QueueView;
import io.delayqueue.internal.console.ConsoleRequest;
import io.delayqueue.internal.console.html.View;
import java.time.Instant;
import java.util.List;

/** All queues. */
final class QueuesPage {

    private final QueueControl control;

    QueuesPage(QueueControl control) {
        this.control = control;
    }

    Page show(ConsoleRequest request, Instant now) {
        Links links = new Links(request.base());
        QueueFigures figures = new QueueFigures(links, now);
        List<QueueView> queues = control.queues(request.caller());
        return new Page(
                "Queues",
                "queues",
                View.of("queues", queues.stream().map(figures::view).toList()).with("none", queues.isEmpty()),
                List.of("queues-table"));
    }
}
