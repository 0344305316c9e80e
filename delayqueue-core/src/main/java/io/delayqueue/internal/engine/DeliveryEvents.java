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
 * Reports deliveries to counters, on the thread where each event happens. Logs what a counter throws and continues. Safe for
 * use by many threads.
 *
 * <p>A retried task keeps its due time, so that its lateness would include its back-off. Counters therefore learn which
 * delivery is the first of its task. The attempt after a postponed one is still the first; postponed tasks are remembered here.
 */
public final class DeliveryEvents {

    /** Reports nothing. */
    public static final DeliveryEvents NONE = new DeliveryEvents(List.of());

    private static final Logger log = LoggerFactory.getLogger(DeliveryEvents.class);

    /** Maximum number of remembered tasks, of about a hundred bytes each. */
    private static final int MOST_POSTPONED = 50_000;

    private final List<DeliveryCounter> counters;
    /** The keys of tasks that this process has postponed and not begun again. */
    private final Set<String> postponed = ConcurrentHashMap.newKeySet();

    /** @param counters receive each event */
    public DeliveryEvents(List<? extends DeliveryCounter> counters) {
        this.counters = List.copyOf(counters);
    }

    /**
     * A delivery has begun.
     *
     * @param destination the {@linkplain io.delayqueue.delivery.TaskDestination#kind kind} of its destination
     */
    public void begun(Delivery delivery, String destination) {
        boolean wasPostponed = postponed.remove(delivery.taskKey());
        boolean first = delivery.attempt() == 1 && !wasPostponed;
        report(counter -> counter.begun(delivery, destination, first));
    }

    /**
     * The outcome of a delivery that had begun was called. The store has not confirmed it yet.
     *
     * @param leaseLost whether the lease was over by then, so that the outcome may change nothing
     */
    void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {
        if (ending == Outcome.Kind.POSTPONED) {
            putOff(delivery);
        }
        report(counter -> counter.ended(delivery, destination, ending, leaseLost));
    }

    /** A delivery does not begin because it is too early. The next delivery of the task counts as its first. */
    void putOff(Delivery delivery) {
        if (delivery.attempt() != 1 || counters.isEmpty()) {
            return;
        }
        // Tasks that another process took over would stay for ever.
        if (postponed.size() >= MOST_POSTPONED) {
            postponed.clear();
        }
        postponed.add(delivery.taskKey());
    }

    /** A task of this queue was not delivered because it was too late. */
    void tooLate(String queue) {
        report(counter -> counter.tooLate(queue));
    }

    /** A task was given back, because its payload has a newer version than this process knows. */
    public void tooNew(Delivery delivery) {
        putOff(delivery);
        report(counter -> counter.tooNew(delivery.queue()));
    }

    /** Tasks could not be read and were quarantined. */
    void quarantined(String queue, int tasks) {
        report(counter -> counter.quarantined(queue, tasks));
    }

    /** Dead tasks were deleted for their age or their number. */
    void trimmed(String queue, int tasks) {
        report(counter -> counter.trimmed(queue, tasks));
    }

    private void report(Consumer<DeliveryCounter> event) {
        for (DeliveryCounter counter : counters) {
            Guard.run(log, "A delivery was not counted", () -> event.accept(counter));
        }
    }
}
