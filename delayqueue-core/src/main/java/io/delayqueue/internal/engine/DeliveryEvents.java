// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Guard;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports deliveries to counters, on the thread of each event. Logs exceptions thrown by counters and continues.
 * Thread-safe.
 *
 * <p>A retried task keeps its due time, so the lateness of a retry includes the back-off. Counters are therefore told
 * which delivery is a task's first. If a delivery is postponed, the next one has the same number but is not the first;
 * this class remembers the postponed tasks.
 */
public final class DeliveryEvents {

    /** Reports nothing. */
    public static final DeliveryEvents NONE = new DeliveryEvents(List.of());

    private static final Logger log = LoggerFactory.getLogger(DeliveryEvents.class);

    /** Maximum number of remembered tasks, of about a hundred bytes each. */
    private static final int MOST_POSTPONED = 50_000;

    private final List<DeliveryCounter> counters;
    /** Keys of tasks that this process has postponed and not started again. */
    private final Set<String> postponed = ConcurrentHashMap.newKeySet();

    public DeliveryEvents(List<? extends DeliveryCounter> counters) {
        this.counters = List.copyOf(counters);
    }

    /**
     * Reports that a delivery has started.
     *
     * @param destination the {@linkplain io.delayqueue.delivery.TaskDestination#kind kind} of its destination
     */
    public void begun(Delivery delivery, String destination) {
        boolean wasPostponed = postponed.remove(delivery.taskKey());
        boolean first = delivery.attempt() == 1 && !wasPostponed;
        report(counter -> counter.begun(delivery, destination, first));
    }

    /**
     * Reports that a started delivery was settled. The store may not have confirmed the outcome yet.
     *
     * @param leaseLost whether its lease had expired or was lost, so that the outcome may have no effect
     */
    void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {
        if (ending == Outcome.Kind.POSTPONED) {
            putOff(delivery);
        }
        report(counter -> counter.ended(delivery, destination, ending, leaseLost));
    }

    /** Records that a delivery is postponed. The next delivery of the task has the same number, but is not its first. */
    void putOff(Delivery delivery) {
        if (delivery.attempt() != 1 || counters.isEmpty()) {
            return;
        }
        // Tasks that another process has taken over would otherwise stay here forever.
        if (postponed.size() >= MOST_POSTPONED) {
            postponed.clear();
        }
        postponed.add(delivery.taskKey());
    }

    /** Reports a task that was released because this process does not know the version of its payload. */
    public void tooNew(Delivery delivery) {
        report(counter -> counter.tooNew(delivery.queue()));
    }

    void report(Consumer<DeliveryCounter> event) {
        for (DeliveryCounter counter : counters) {
            Guard.run(log, "Could not count a delivery", () -> event.accept(counter));
        }
    }
}
