// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.TaskStoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Empties the queues so that one test does not affect the next. */
final class Reset {

    private final QueueViews queues;
    private final Settling settling;
    private final ObservedDeliveries deliveries;
    private final QueueTraces traces;
    private @Nullable TaskStoreException unanswered;

    Reset(QueueViews queues, QueueTraces traces, Settling settling, ObservedDeliveries deliveries) {
        this.queues = queues;
        this.traces = traces;
        this.settling = settling;
        this.deliveries = deliveries;
    }

    /**
     * Prevents new deliveries, also of acquired tasks that wait for a thread. Waits for deliveries in progress, because
     * their handlers may schedule or commit. Sends their commits to Redis, and then deletes everything.
     *
     * @throws AssertionError if this takes too long; the queues are still emptied, and further failures are suppressed
     */
    void run() {
        deliveries.refuse();
        try {
            List<Runnable> steps = new ArrayList<>();
            steps.add(this::settle);
            queues.names().forEach(queue -> steps.add(() -> queues.purge(queue)));
            steps.add(traces::delete);
            queues.names().forEach(queue -> steps.add(() -> queues.resume(queue)));
            doAll(steps);
        } finally {
            deliveries.forget();
            deliveries.admit();
        }
    }

    private void settle() {
        settling.await(this::areAllPaused, () -> "The queues could not be paused and emptied: " + unanswered);
        settling.awaitEnds(
                () -> deliveries.areOver() && queues.leased() == 0,
                () -> "Deliveries of this test have not ended and may disturb the next: " + queues.leased()
                        + " in progress." + queues.describedLeased()
                        + deliveries.describedWithoutLease(queues::isLeased));
        settling.await(
                () -> settling.hasNothingElsewhere() && isEmptied(),
                () -> "The queues could not be emptied for the next test." + settling.onTheirWay());
    }

    /** Pauses all queues. Retries while Redis does not answer: the test may have just restarted its server. */
    private boolean areAllPaused() {
        try {
            queues.pauseAll();
            return true;
        } catch (TaskStoreException ex) {
            unanswered = ex;
            return false;
        }
    }

    private boolean isEmptied() {
        queues.purgeAll();
        return queues.areEmpty();
    }

    /** Runs all steps, and then throws the first failure with the others suppressed. */
    private static void doAll(List<Runnable> steps) {
        Throwable first = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException | AssertionError ex) {
                if (first == null) {
                    first = ex;
                } else if (ex != first) {
                    first.addSuppressed(ex);
                }
            }
        }
        if (first instanceof RuntimeException failure) {
            throw failure;
        }
        if (first instanceof AssertionError failure) {
            throw failure;
        }
    }
}
