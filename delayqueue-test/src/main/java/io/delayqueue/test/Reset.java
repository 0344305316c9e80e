// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

/** Takes all out of the queues, so that nothing of a test reaches the next. */
final class Reset {

    private final QueueViews queues;
    private final Settling settling;
    private final ObservedDeliveries deliveries;

    Reset(QueueViews queues, Settling settling, ObservedDeliveries deliveries) {
        this.queues = queues;
        this.settling = settling;
        this.deliveries = deliveries;
    }

    /**
     * No delivery begins any more, also of what is acquired already and waits for a thread. Those that have begun are waited
     * for, as their handlers may schedule and commit. What is committed then is brought in and deleted with all else.
     *
     * @throws AssertionError if that is not done in time; the queues are emptied nevertheless
     */
    void run() {
        deliveries.refuse();
        try {
            queues.pauseAll();
            settling.awaitEnds(
                    () -> deliveries.areOver() && queues.leased() == 0,
                    () -> "Deliveries of this test have not ended, and may disturb the next: " + queues.leased()
                            + " under delivery." + queues.describedLeased()
                            + deliveries.describedWithoutLease(queues::isLeased));
            settling.await(
                    () -> settling.hasNothingElsewhere() && isEmptied(),
                    () -> "The queues cannot be emptied for the next test." + settling.onTheirWay());
        } finally {
            queues.clear();
            deliveries.forget();
            deliveries.admit();
        }
    }

    private boolean isEmptied() {
        queues.purgeAll();
        return queues.areEmpty();
    }
}
