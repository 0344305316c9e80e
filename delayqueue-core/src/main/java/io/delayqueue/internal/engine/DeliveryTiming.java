// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.LocalDueTime;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.internal.store.Expiry;
import io.delayqueue.internal.store.TimingHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether deliveries of a queue may start. Ends a delivery that has expired while it waited in this process.
 * Postpones a delivery outside the delivery hours of its task or before the task's local due time. Calculates the Redis
 * server's time from the acquire, so it never runs ahead of the server. Thread-safe.
 */
record DeliveryTiming(String queue, TimingSettings timing, Expiry expiry, DeliveryEvents events) {

    private static final Logger log = LoggerFactory.getLogger(DeliveryTiming.class);
    private static final String CLOSED = "outside its delivery hours";
    private static final String NOT_YET = "its local due time has not been reached";

    DeliveryTiming(QueueSettings queue, DeliveryEvents events) {
        this(queue.name(), queue.timing(), expiry(queue), events);
    }

    private static Expiry expiry(QueueSettings queue) {
        boolean kept = queue.timing().expired() == TimingSettings.Expired.DEAD
                && queue.dead().keep() == DeadSettings.Keep.ALL;
        return new Expiry(queue.timing().expiresAfter(), kept);
    }

    /** Returns whether a delivery may start now. If not, settles it. */
    boolean admits(LeasedDelivery delivery) {
        return delivery.isEnded() || (isInTime(delivery) && isDueHere(delivery));
    }

    private boolean isInTime(LeasedDelivery delivery) {
        Duration longest = expiry.longestWait(delivery.content());
        if (longest == null || delivery.lateness().toMillis() <= longest.toMillis()) {
            return true;
        }
        Guard.tell(() -> log.debug("{} is not started: it expired while it waited", delivery));
        delivery.expire(Expiry.EXPIRED, expiry.kept());
        countExpired();
        return false;
    }

    /**
     * Returns how long a delivery may wait here, at most the given time: half of the time until it expires, and not at
     * all if its delivery hours end before.
     */
    Duration slack(LeasedDelivery delivery, Duration most) {
        Duration longest = expiry.longestWait(delivery.content());
        Duration slack = (longest == null)
                ? most
                : Collections.min(
                        List.of(most, longest.minus(delivery.lateness()).dividedBy(2)));
        try {
            DeliveryWindow own = TimingHeaders.of(delivery.content().headers()).window();
            DeliveryWindow window = (own == null) ? timing.window() : own;
            Instant end = delivery.serverNow().plus(slack);
            return window == null || window.isOpen(end, timing.calendars()) ? slack : Duration.ZERO;
        } catch (Throwable ex) {
            return Duration.ZERO; // admits() will find out why.
        }
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
            // A calendar of the application may throw anything, including checked exceptions.
            Guard.tell(() -> log.warn("Holding back {}: its delivery hours could not be evaluated", delivery, ex));
            delivery.settle(Outcome.failed("its delivery hours could not be evaluated: " + reason(ex)));
            return false;
        }
        if (!from.isAfter(now)) {
            return true;
        }
        String reason = local ? NOT_YET : CLOSED;
        Guard.tell(() -> log.debug("{} is postponed to {}: {}", delivery, from, reason));
        delivery.settle(Outcome.postponed(reason).retryAfter(Duration.between(now, from)));
        return false;
    }

    /** Returns the due time of a task with a local due time, by the current rules of its time zone. */
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

    void countExpired() {
        events.report(counter -> counter.tooLate(queue));
    }
}
