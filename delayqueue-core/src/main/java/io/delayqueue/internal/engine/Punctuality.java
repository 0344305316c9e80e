// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.store.TooLate;
import io.delayqueue.queue.DeadSettings;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.TimingSettings;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds back deliveries of a queue that waited in this process until it was too late. Safe for use by many threads. */
final class Punctuality {

    private static final Logger log = LoggerFactory.getLogger(Punctuality.class);

    private final String queue;
    private final TooLate tooLate;
    private final DeliveryEvents events;

    Punctuality(QueueSettings queue, DeliveryEvents events) {
        TimingSettings timing = queue.timing();
        boolean kept =
                timing.expired() == TimingSettings.Expired.DEAD && queue.dead().keep() == DeadSettings.Keep.ALL;
        this.queue = queue.name();
        this.tooLate = new TooLate(timing.expiresAfter(), kept);
        this.events = events;
    }

    /** What the store goes by. */
    TooLate tooLate() {
        return tooLate;
    }

    /**
     * Whether a delivery may begin now. Otherwise it has an outcome. By the Redis server's clock as it was at the acquire, and
     * never ahead of it: what is held back certainly is too late.
     */
    boolean admits(LeasedDelivery delivery) {
        Duration longest = tooLate.longestWait(delivery.content());
        if (longest == null || delivery.lateness().toMillis() <= longest.toMillis() || delivery.isEnded()) {
            return true;
        }
        Seam.tell(() -> log.debug("{} does not begin: it waited until it was too late", delivery));
        delivery.expire(TooLate.EXPIRED, tooLate.kept());
        count(TooLate.EXPIRED);
        return false;
    }

    /** One more task was too late. */
    void count(String reason) {
        Seam.run(log, "A task that was too late was not counted", () -> events.tooLate(queue, reason));
    }
}
