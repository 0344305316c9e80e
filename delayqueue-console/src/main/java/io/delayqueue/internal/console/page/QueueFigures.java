// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.Caller;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.QueueRates;
import io.delayqueue.control.QueueView;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue's counts, rate and owners, as the table of all queues and its own page show them. */
final class QueueFigures {

    /** Over which time the rate and the lateness of a queue are told. */
    private static final Duration LATELY = Duration.ofMinutes(5);

    private final QueueControl control;
    private final Owners owners;

    QueueFigures(QueueControl control) {
        this.control = control;
        this.owners = new Owners(control);
    }

    View of(Caller caller, QueueView queue, Links links, Instant now) {
        QueueRates lately = control.rates(caller, queue.queue(), now.minus(LATELY), now);
        long delivered = lately.minutes().stream()
                .mapToLong(QueueRates.Minute::delivered)
                .sum();
        List<String> processes = owners.of(caller, queue);
        return view(queue, links, now)
                .with("rate", Numbers.grouped(Math.round((double) delivered / LATELY.toMinutes())))
                .with("p50", Past.lateness(lately.lateness(), 0.5))
                .with("p99", Past.lateness(lately.lateness(), 0.99))
                .with("owners", processes)
                .with("ownersCount", processes.isEmpty() ? null : processes.size());
    }

    private static View view(QueueView queue, Links links, Instant now) {
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
                .with("overdue", overdue(queue.nextAttentionAt(), now))
                .with("paused", queue.paused())
                .with("shards", queue.shards())
                .with("migratingFrom", queue.migratingFrom())
                .with("operates", queue.permissions().contains(QueuePermission.OPERATE));
    }

    /** How long the oldest task that is due has been so. */
    private static @Nullable String overdue(@Nullable Instant nextAttentionAt, Instant now) {
        return nextAttentionAt == null || !nextAttentionAt.isBefore(now.minusSeconds(1))
                ? null
                : Moments.length(Duration.between(nextAttentionAt, now));
    }
}
