// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.DeadReasons;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The dead tasks of a queue by their reasons. */
final class ReasonsPage {

    private final QueueControl control;

    ReasonsPage(QueueControl control) {
        this.control = control;
    }

    Page show(ConsoleRequest request, String queue, Instant now) {
        Links links = new Links(request.base());
        DeadReasons found = control.deadReasons(request.caller(), queue);
        Moments moments = new Moments(now);
        boolean operates = control.permissions(request.caller(), queue).contains(QueuePermission.OPERATE);
        View view = View.of("queueLink", links.queue(queue))
                .with("queue", queue)
                .with(
                        "rows",
                        found.reasons().stream()
                                .map(reason -> row(reason, queue, operates, links, moments))
                                .toList())
                .with("none", found.reasons().isEmpty())
                .with("looked", Numbers.of(found.looked(), "dead task"))
                .with("shown", Numbers.of(found.reasons().size(), "reason"))
                .with("isCut", counted(found) < found.looked())
                .with("isPart", !found.all());
        return new Page("Why tasks of " + queue + " died", "reasons", view, List.of());
    }

    private static long counted(DeadReasons found) {
        return found.reasons().stream().mapToLong(DeadReasons.Reason::count).sum();
    }

    private static View row(DeadReasons.Reason reason, String queue, boolean operates, Links links, Moments moments) {
        // Exactly that: "503" is also a part of "connection 1503 reset".
        boolean none = reason.reason().isEmpty();
        Map<String, String> only = none ? Map.of("withoutReason", "true") : Map.of("exactReason", reason.reason());
        Address dead = links.tasks(queue).with("state", "dead").with(only);
        return View.of("reason", none ? "no reason" : reason.reason())
                .with("count", Numbers.grouped(reason.count()))
                .with("link", dead)
                .with("firstAt", moments.view(reason.firstAt()))
                .with("lastAt", moments.view(reason.lastAt()))
                .with(
                        "redriveLink",
                        operates
                                ? links.of(queue, "bulk")
                                        .with("action", "redrive")
                                        .with(only)
                                : null);
    }
}
