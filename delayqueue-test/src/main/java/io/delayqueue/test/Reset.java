// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.TaskStoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes all out of the queues, so that nothing of a test reaches the next. */
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
     * No delivery begins any more, also of what is acquired already and waits for a thread. Those that have begun are waited
     * for, as their handlers may schedule and commit. What is committed then is brought in and deleted with all else.
     *
     * @throws AssertionError if that is not done in time; the queues are emptied nevertheless, and what else fails then is
     *     suppressed
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
        settling.await(
                this::areAllPaused, () -> "The queues cannot be paused and emptied for the next test: " + unanswered);
        settling.awaitEnds(
                () -> deliveries.areOver() && queues.leased() == 0,
                () -> "Deliveries of this test have not ended, and may disturb the next: " + queues.leased()
                        + " under delivery." + queues.describedLeased()
                        + deliveries.describedWithoutLease(queues::isLeased));
        settling.await(
                () -> settling.hasNothingElsewhere() && isEmptied(),
                () -> "The queues cannot be emptied for the next test." + settling.onTheirWay());
    }

    /** Tried again while Redis does not answer: a server that the test had killed may just have been started again. */
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

    /** Each of them, whatever others throw; then throws the first that was thrown, with the others suppressed. */
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
