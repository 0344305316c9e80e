// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueRates;
import io.delayqueue.internal.control.QueueView;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A queue's counts, rates and status, for the table of all queues and the queue's own page. */
record QueueFigures(QueueControl control) {

    /** The period of the current rate and lateness. */
    static final Duration LATELY = Duration.ofMinutes(5);

    /** The statuses, most urgent first. */
    enum Status {
        FAILING("Failing", "bad", "bad"),
        BEHIND("Behind", "warn", "warn"),
        PAUSED("Paused", "warn", "off"),
        RUNNING("Running", "ok", "");

        private final String label;
        private final String tone;
        private final String dot;

        Status(String label, String tone, String dot) {
            this.label = label;
            this.tone = tone;
            this.dot = dot;
        }

        String label() {
            return label;
        }
    }

    /**
     * A queue and its last hour.
     *
     * @param begin start of that hour
     * @param overdue how long the oldest task has been overdue; null if that is less than a second
     */
    record Figures(
            QueueView queue,
            Instant begin,
            QueueRates hour,
            QueueRates lately,
            @Nullable Duration overdue) {

        /** Minimum number of failed deliveries for a queue to count as failing. */
        private static final int FEWEST_FAILED = 5;

        private static final double FAILING = 0.2;
        private static final Duration BEHIND = Duration.ofSeconds(30);

        long failedLately() {
            return lately.sum(QueueRates.Period::allFailed);
        }

        long attemptsLately() {
            return lately.sum(QueueRates.Period::delivered) + failedLately();
        }

        double failedShare() {
            return attemptsLately() == 0 ? 0 : (double) failedLately() / attemptsLately();
        }

        long diedInTheHour() {
            return hour.sum(QueueRates.Period::dead);
        }

        Status status() {
            if (queue.paused()) {
                return Status.PAUSED;
            }
            if (failedLately() >= FEWEST_FAILED && failedShare() >= FAILING) {
                return Status.FAILING;
            }
            return overdue != null && overdue.compareTo(BEHIND) > 0 ? Status.BEHIND : Status.RUNNING;
        }
    }

    Figures read(Caller caller, QueueView queue, Instant now) {
        Instant end = now.truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(1));
        Instant begin = end.minus(Duration.ofHours(1));
        QueueRates hour = control.rates(caller, queue.queue(), ChronoUnit.MINUTES, begin, end);
        QueueRates lately = hour.between(end.minus(LATELY), end);
        return new Figures(queue, begin, hour, lately, overdue(queue.nextAttentionAt(), now));
    }

    /** Returns how long the oldest task is overdue; null for less than a second. */
    private static @Nullable Duration overdue(@Nullable Instant nextAttentionAt, Instant now) {
        return nextAttentionAt == null || !nextAttentionAt.isBefore(now.minusSeconds(1))
                ? null
                : Duration.between(nextAttentionAt, now);
    }

    View view(Figures figures, Links links) {
        QueueView queue = figures.queue();
        String name = queue.queue();
        Status status = figures.status();
        long delivered = figures.lately().sum(QueueRates.Period::delivered);
        return View.of("name", name)
                .with("link", links.queue(name))
                .with("status", status.label)
                .with("tone", status.tone)
                .with("dot", status.dot)
                .with("delayed", Numbers.grouped(queue.delayed()))
                .with("ready", Numbers.grouped(queue.ready()))
                .with("heldBack", queue.heldBack() == 0 ? null : Numbers.grouped(queue.heldBack()))
                .with("leased", Numbers.grouped(queue.leased()))
                .with("dead", Numbers.grouped(queue.dead()))
                .with("overdueTone", queue.ready() > 0 ? "strong warn" : "quiet")
                .with("deadTone", queue.dead() > 0 ? "strong bad" : "quiet")
                .with("overdue", figures.overdue() == null ? null : Moments.brief(figures.overdue()))
                .with("died", figures.diedInTheHour() == 0 ? null : Numbers.grouped(figures.diedInTheHour()))
                .with("rate", Numbers.grouped(Math.round((double) delivered / LATELY.toMinutes())))
                .with(
                        "failedShare",
                        figures.attemptsLately() == 0 ? "–" : Numbers.percent(figures.failedShare()) + " failed")
                .with("failedTone", status == Status.FAILING ? "bad" : "")
                .with("p50", Timeline.lateness(figures.lately().lateness(), 0.5))
                .with("p99", Timeline.lateness(figures.lately().lateness(), 0.99))
                .with("paused", queue.paused())
                .with("shards", queue.shards())
                .with("layout", Numbers.of(queue.shards(), "shard"))
                .with("migratingFrom", queue.migratingFrom())
                .with("operates", queue.permissions().contains(QueuePermission.OPERATE))
                .with("scheduledLink", links.tasks(name).with("from", "0s"))
                .with("overdueLink", links.tasks(name).with("until", "0s"))
                .with("leasedLink", links.tasks(name).with("state", "leased"))
                .with("deadLink", links.tasks(name).with("state", "dead"))
                .with("reasonsLink", links.of(name, "reasons"))
                .with("keysLink", links.of(name, "keys"))
                .with("pauseLink", links.of(name, "pause"))
                .with("pausedWhy", Attention.pausedWhy(figures.queue().pause()))
                .with("resumeLink", links.of(name, "resume"));
    }

    /** Returns the tabs of a queue's pages, with the counts that are already known. */
    static List<View> tabs(QueueView queue, Links links, String current) {
        String name = queue.queue();
        return List.of(
                tab("Overview", links.queue(name), null, "", current),
                tab("Scheduled", links.tasks(name).with("from", "0s"), queue.delayed(), "", current),
                tab("Overdue", links.tasks(name).with("until", "0s"), queue.ready(), "warn", current),
                tab("Retrying", links.tasks(name).with("retrying", "true"), null, "", current),
                tab("In progress", links.tasks(name).with("state", "leased"), queue.leased(), "", current),
                tab("Dead", links.tasks(name).with("state", "dead"), queue.dead(), "bad", current),
                tab("Failures", links.of(name, "reasons"), null, "", current),
                tab("Keys", links.of(name, "keys"), waiting(queue), "warn", current));
    }

    private static @Nullable String waiting(QueueView queue) {
        return queue.heldBack() == 0 ? null : Numbers.grouped(queue.heldBack());
    }

    private static View tab(String label, Object link, long count, String tone, String current) {
        return tab(label, link, Numbers.grouped(count), tone, current);
    }

    private static View tab(String label, Object link, @Nullable String count, String tone, String current) {
        return View.of("tab", label)
                .with("tabLink", link)
                .with("tabCount", count)
                .with("tabTone", count != null && !count.equals("0") ? tone : "")
                .with("isThis", label.equals(current));
    }
}
