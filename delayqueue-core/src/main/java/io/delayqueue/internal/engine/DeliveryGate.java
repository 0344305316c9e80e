// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.queue.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only those deliveries of a queue begin that a {@link DeliveryCheck} does not hold back. The others are due again soon, and
 * no failure is counted. Safe for use by many threads.
 *
 * <p>The check is asked first and the store second: a change that the check no longer has is in the store by then, where it has
 * ended the lease, or waits for its end. Releasing the lease then makes the
 * changed task due at its own time.
 */
final class DeliveryGate {

    private static final Logger log = LoggerFactory.getLogger(DeliveryGate.class);

    /** Mostly the change reaches the store at once, or has reached it and the check will know in a moment. */
    private static final Duration SOON = Duration.ofMillis(100);

    private final DeliveryCheck check;
    private final LeaseRenewer leases;
    private final QueueSettings queue;
    private final AtomicBoolean failing = new AtomicBoolean();

    DeliveryGate(DeliveryCheck check, LeaseRenewer leases, QueueSettings queue) {
        this.check = check;
        this.leases = leases;
        this.queue = queue;
    }

    /** Blocks until the check and the store have answered. Returns those that may begin; all others have an outcome. */
    List<LeasedDelivery> admitted(List<LeasedDelivery> deliveries) {
        List<LeasedDelivery> admitted;
        try {
            List<LeasedDelivery> free = notHeldBack(deliveries);
            admitted = free.isEmpty() ? free : confirmed(free);
        } catch (Throwable ex) {
            failed(ex);
            deliveries.forEach(
                    delivery -> delivery.settle(Outcome.postponed("it is not known whether it may be delivered")));
            return List.of();
        }
        if (failing.compareAndSet(true, false)) {
            Guard.tell(() -> log.info("Queue '{}': deliveries are checked again, and go on", queue.name()));
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
                Guard.tell(() -> log.debug("{} is held back: a change of its task is on its way", delivery));
                delivery.settle(
                        Outcome.postponed("a change of the task is on its way").retryAfter(delay(delivery)));
            } else {
                free.add(delivery);
            }
        }
        return free;
    }

    /** As long again as it is late already, within limits: a change that takes its time is not asked for all the time. */
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
        Guard.tell(() -> log.debug("{} does not begin: its task was cancelled or changed meanwhile", delivery));
        delivery.settle(Outcome.released());
    }

    /** Once while it lasts. */
    private void failed(Throwable error) {
        if (failing.compareAndSet(false, true)) {
            Guard.tell(() -> log.warn(
                    "Queue '{}': whether tasks may be delivered cannot be checked; they wait until it can",
                    queue.name(),
                    error));
        }
    }
}
