// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.QueueView;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A queue's counts, as the table of all queues and its own page show them. */
final class QueueFigures {

    private final Links links;
    private final Instant now;

    QueueFigures(Links links, Instant now) {
        this.links = links;
        this.now = now;
    }

    View view(QueueView queue) {
        return View.of("name", queue.queue())
                .with("link", links.queue(queue.queue()))
                .with("delayed", Numbers.grouped(queue.delayed()))
                .with("ready", Numbers.grouped(queue.ready()))
                .with("leased", Numbers.grouped(queue.leased()))
                .with("dead", Numbers.grouped(queue.dead()))
                .with("hasDead", queue.dead() > 0)
                .with("waitingLink", links.tasks(queue.queue()))
                .with("readyLink", links.tasks(queue.queue()).with("until", "0s"))
                .with("leasedLink", links.tasks(queue.queue()).with("state", "leased"))
                .with("deadLink", links.tasks(queue.queue()).with("state", "dead"))
                .with("reasonsLink", links.of(queue.queue(), "reasons"))
                .with("overdue", overdue(queue.nextAttentionAt()))
                .with("paused", queue.paused())
                .with("shards", queue.shards())
                .with("migratingFrom", migrating(queue))
                .with("operates", queue.permissions().contains(QueuePermission.OPERATE));
    }

    /** How long the oldest task that is due has been so. */
    private @Nullable String overdue(@Nullable Instant nextAttentionAt) {
        return nextAttentionAt == null || !nextAttentionAt.isBefore(now.minusSeconds(1))
                ? null
                : Moments.length(Duration.between(nextAttentionAt, now));
    }

    private static @Nullable String migrating(QueueView queue) {
        return queue.migratingFrom().isEmpty()
                ? null
                : queue.migratingFrom().stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
