// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.InstanceView;
import io.delayqueue.internal.control.QueueControl;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The processes that deliver queues. */
record InstancesPage(QueueControl control) {

    Page show(ConsoleRequest request) {
        List<View> rows = control.instances(request.caller(), true).stream()
                .map(instance -> row(instance, request))
                .toList();
        return new Page(
                "Instances",
                "instances",
                View.of("rows", rows).with("none", rows.isEmpty()),
                List.of("instances-table"));
    }

    private static @Nullable String orNull(@Nullable Long number) {
        return number == null ? null : Numbers.grouped(number);
    }

    private static @Nullable View busy(InstanceView instance) {
        Long workers = instance.workers();
        Long busy = instance.busy();
        return workers == null || busy == null
                ? null
                : View.of("busyOf", busy + " of " + workers)
                        .with("busyShare", Timeline.round(100.0 * busy / Math.max(1, workers)))
                        .with("busyTone", busy < workers ? "done" : "retry");
    }

    static View row(InstanceView instance, ConsoleRequest request) {
        return View.of("process", instance.process())
                .with("version", instance.version())
                .with("since", request.moments().view(instance.since()))
                .with(
                        "queues",
                        instance.queues().stream()
                                .map(queue -> View.of("queueName", queue)
                                        .with("queueLink", request.links().queue(queue)))
                                .toList())
                .with("inProgress", orNull(instance.inProgress()))
                .with("perMinute", orNull(instance.perMinute()))
                .with("busy", busy(instance))
                .with("notedAt", request.moments().view(instance.notedAt()));
    }
}
