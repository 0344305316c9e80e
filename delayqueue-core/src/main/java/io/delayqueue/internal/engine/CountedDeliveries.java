// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.concurrent.Guard;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells counters of deliveries, and which of these are the first of their task.
 *
 * <p>A task that is tried again keeps its first due time, so what comes later would count as late by its back-off. Of tasks
 * that were postponed the attempt is still the first; they are remembered here.
 */
public final class CountedDeliveries implements DeliveryEvents {

    private static final Logger log = LoggerFactory.getLogger(CountedDeliveries.class);

    /** Postponed tasks that are remembered; of about a hundred bytes each. */
    private static final int MOST_POSTPONED = 50_000;

    private final List<DeliveryCounter> counters;
    /** The task keys of those that this process postponed and has not begun again. */
    private final Set<String> postponed = ConcurrentHashMap.newKeySet();

    private CountedDeliveries(List<DeliveryCounter> counters) {
        this.counters = List.copyOf(counters);
    }

    /** Tells all of these. */
    public static DeliveryEvents by(List<? extends DeliveryCounter> counters) {
        return counters.isEmpty() ? NONE : new CountedDeliveries(List.copyOf(counters));
    }

    @Override
    public void begun(Delivery delivery, String destination) {
        boolean wasPostponed = postponed.remove(delivery.taskKey());
        boolean first = delivery.attempt() == 1 && !wasPostponed;
        for (DeliveryCounter counter : counters) {
            Guard.run(log, "A delivery was not counted", () -> counter.begun(delivery, destination, first));
        }
    }

    @Override
    public void ended(Delivery delivery, String destination, Ending ending, boolean leaseLost) {
        if (ending == Ending.POSTPONED && delivery.attempt() == 1) {
            remember(delivery.taskKey());
        }
        for (DeliveryCounter counter : counters) {
            Guard.run(
                    log,
                    "The end of a delivery was not counted",
                    () -> counter.ended(delivery, destination, ending, leaseLost));
        }
    }

    @Override
    public void putOff(Delivery delivery) {
        if (delivery.attempt() == 1) {
            remember(delivery.taskKey());
        }
    }

    @Override
    public void tooLate(String queue) {
        for (DeliveryCounter counter : counters) {
            Guard.run(log, "A task that was too late was not counted", () -> counter.tooLate(queue));
        }
    }

    @Override
    public void quarantined(String queue, int tasks) {
        for (DeliveryCounter counter : counters) {
            Guard.run(log, "Quarantined tasks were not counted", () -> counter.quarantined(queue, tasks));
        }
    }

    /** Those that another process took over would stay for ever, so a full memory begins anew. */
    private void remember(String taskKey) {
        if (postponed.size() >= MOST_POSTPONED) {
            postponed.clear();
        }
        postponed.add(taskKey);
    }
}
