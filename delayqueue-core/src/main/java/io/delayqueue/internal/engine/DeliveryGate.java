// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.queue.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the deliveries of a queue unless a {@link DeliveryCheck} holds them back. Deliveries that are held back are
 * retried soon, without counting a failure. Thread-safe.
 *
 * <p>The gate asks the check first and the store second. If the check no longer reports a change, the change has
 * reached the store. There it has ended the lease, or it waits for the end of the lease. In the second case, releasing
 * the lease makes the changed task due at its new time. An update, and a shift or reschedule of the group, do neither:
 * they do not change a leased task, so its delivery starts.
 *
 * @param failing whether the last check failed
 */
record DeliveryGate(DeliveryCheck check, LeaseRenewer leases, QueueSettings queue, AtomicBoolean failing) {

    private static final Logger log = LoggerFactory.getLogger(DeliveryGate.class);

    /** The pause before the next check. By then, the change has usually reached the store. */
    private static final Duration SOON = Duration.ofMillis(100);

    /**
     * Returns the deliveries that may start, and settles all others. Blocks until the check and the store have replied.
     */
    List<LeasedDelivery> admitted(List<LeasedDelivery> deliveries) {
        List<LeasedDelivery> admitted;
        try {
            List<LeasedDelivery> free = notHeldBack(deliveries);
            admitted = free.isEmpty() ? free : confirmed(free);
        } catch (Throwable ex) {
            failed(ex);
            deliveries.forEach(delivery -> delivery.settle(Outcome.postponed("the check before delivery failed")));
            return List.of();
        }
        if (failing.compareAndSet(true, false)) {
            Guard.tell(() ->
                    log.info("Queue '{}': the check before delivery works again; delivery continues", queue.name()));
        }
        return admitted;
    }

    private List<LeasedDelivery> notHeldBack(List<LeasedDelivery> deliveries) {
        Set<String> held = check.heldBack(queue.name(), deliveries);
        if (held.isEmpty()) {
            return deliveries;
        }
        List<LeasedDelivery> free = new ArrayList<>(deliveries.size());
        for (LeasedDelivery delivery : deliveries) {
            if (held.contains(delivery.id())) {
                Guard.tell(() -> log.debug(
                        "Holding back {}: a committed change of its task has not reached Redis yet", delivery));
                delivery.settle(Outcome.postponed("a committed change of the task has not reached Redis yet")
                        .retryAfter(delay(delivery)));
            } else {
                free.add(delivery);
            }
        }
        return free;
    }

    /**
     * Returns the delay before the next check. It grows with the lateness of the task, so that a slow change does not
     * cause constant checks.
     */
    private Duration delay(LeasedDelivery delivery) {
        Duration longest = queue.retry().delayAfter(1, ThreadLocalRandom.current());
        Duration late = delivery.lateness();
        Duration delay = late.compareTo(SOON) < 0 ? SOON : late;
        return delay.compareTo(longest) > 0 ? longest : delay;
    }

    private List<LeasedDelivery> confirmed(List<LeasedDelivery> free) {
        List<LeasedDelivery> confirmed = leases.confirmed(free, queue.lease());
        free.stream().filter(delivery -> !confirmed.contains(delivery)).forEach(DeliveryGate::gone);
        return confirmed;
    }

    private static void gone(LeasedDelivery delivery) {
        Guard.tell(() -> log.debug("{} is not started: its task was cancelled or changed in the meantime", delivery));
        delivery.settle(Outcome.released());
    }

    /** Logs a failed check, once until a check succeeds again. */
    private void failed(Throwable error) {
        if (failing.compareAndSet(false, true)) {
            Guard.tell(() -> log.warn(
                    "Queue '{}': the check before delivery fails; tasks wait until it works", queue.name(), error));
        }
    }
}
