// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.LocalDueTime;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.store.Expiry;
import io.delayqueue.internal.store.TimingHeaders;
import io.delayqueue.queue.DeadSettings;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.TimingSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets deliveries of a queue begin only when they may: those that waited in this process until it was too late end, and those
 * for which it is too early by the hours or the local time of their task are put off. By the Redis server's clock as it was at
 * the acquire, and never ahead of it. Safe for use by many threads.
 */
final class DeliveryTiming {

    private static final Logger log = LoggerFactory.getLogger(DeliveryTiming.class);
    private static final String CLOSED = "outside the hours in which it may be delivered";
    private static final String NOT_YET = "its local time has not come";

    private final String queue;
    private final TimingSettings timing;
    private final Expiry expiry;
    private final DeliveryEvents events;

    DeliveryTiming(QueueSettings queue, DeliveryEvents events) {
        this.queue = queue.name();
        this.timing = queue.timing();
        boolean kept =
                timing.expired() == TimingSettings.Expired.DEAD && queue.dead().keep() == DeadSettings.Keep.ALL;
        this.expiry = new Expiry(timing.expiresAfter(), kept);
        this.events = events;
    }

    /** What the store goes by. */
    Expiry expiry() {
        return expiry;
    }

    /** Whether a delivery may begin now. Otherwise it has an outcome. */
    boolean admits(LeasedDelivery delivery) {
        return delivery.isEnded() || (isInTime(delivery) && isDueHere(delivery));
    }

    private boolean isInTime(LeasedDelivery delivery) {
        Duration longest = expiry.longestWait(delivery.content());
        if (longest == null || delivery.lateness().toMillis() <= longest.toMillis()) {
            return true;
        }
        Guard.tell(() -> log.debug("{} does not begin: it waited until it was too late", delivery));
        delivery.expire(Expiry.EXPIRED, expiry.kept());
        countExpired();
        return false;
    }

    private boolean isDueHere(LeasedDelivery delivery) {
        Map<String, String> headers = delivery.content().headers();
        if (timing.window() == null && !TimingHeaders.sayWhen(headers)) {
            return true;
        }
        Instant now = delivery.serverNow();
        Instant from;
        boolean local;
        try {
            TimingHeaders task = TimingHeaders.of(headers);
            Instant localDue = localDue(delivery, task);
            Instant earliest = localDue != null && localDue.isAfter(now) ? localDue : now;
            local = earliest.isAfter(now);
            from = opening(task, earliest);
        } catch (Throwable ex) {
            // a calendar of the application may throw anything, also a checked exception
            Guard.tell(() -> log.warn("{} does not begin: it is not known when it may", delivery, ex));
            delivery.settle(Outcome.failed("it is not known when it may be delivered: " + reason(ex)));
            return false;
        }
        if (!from.isAfter(now)) {
            return true;
        }
        String reason = local ? NOT_YET : CLOSED;
        Guard.tell(() -> log.debug("{} is put off to {}: {}", delivery, from, reason));
        events.putOff(delivery);
        delivery.settle(Outcome.postponed(reason).retryAfter(Duration.between(now, from)));
        return false;
    }

    /** When a task that was scheduled for a local time, and not rescheduled since, is due by the rules of today. */
    private static @Nullable Instant localDue(LeasedDelivery delivery, TimingHeaders task) {
        LocalDueTime time = task.localTime();
        return (time == null || !delivery.dueAt().equals(task.localDueAt())) ? null : time.toInstant();
    }

    private Instant opening(TimingHeaders task, Instant from) {
        DeliveryWindow window = (task.window() == null) ? timing.window() : task.window();
        return window == null
                ? from
                : window.nextOpening(from, timing.calendars())
                        .orElseThrow(() -> new IllegalArgumentException("the window '" + window + "' never opens"));
    }

    private static String reason(Throwable error) {
        return error instanceof IllegalArgumentException
                ? String.valueOf(error.getMessage())
                : error.getClass().getName();
    }

    /** One more task was too late. */
    void countExpired() {
        events.tooLate(queue);
    }
}
