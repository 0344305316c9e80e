// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.jdbc.ReconcileDifference;
import io.delayqueue.jdbc.ReconcileDifference.Kind;
import io.delayqueue.jdbc.ReconcileRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One look at the queue for one task. */
final class Comparison {

    private final DelayQueueOperations queues;
    private final ReconcileRequest request;
    private final Clock clock;

    Comparison(DelayQueueOperations queues, ReconcileRequest request, Clock clock) {
        this.queues = queues;
        this.request = request;
        this.clock = clock;
    }

    /**
     * What a task was found to be.
     *
     * @param difference from what it should be; empty if there is none
     * @param underWay whether it cannot be judged now
     */
    record Finding(Optional<ReconcileDifference> difference, boolean underWay) {

        private static final Finding RIGHT = new Finding(Optional.empty(), false);
        private static final Finding UNDER_WAY = new Finding(Optional.empty(), true);

        private static Finding of(String id, Kind kind, Optional<Instant> expectedDueAt, Optional<Instant> foundDueAt) {
            return new Finding(Optional.of(new ReconcileDifference(id, kind, expectedDueAt, foundDueAt, false)), false);
        }
    }

    /** Of a task that should be there. */
    Finding ofExpected(ScheduleRequest expected) {
        Instant due = dueAt(expected);
        Instant now = clock.instant();
        Optional<FoundTask<EncodedPayload>> found = queues.find(request.queue(), expected.id());
        if (found.isEmpty()) {
            boolean handedOver =
                    !due.isAfter(now) && due.plus(request.handedOver()).isAfter(now);
            return handedOver
                    ? Finding.UNDER_WAY
                    : Finding.of(expected.id(), Kind.MISSING, Optional.of(due), Optional.empty());
        }
        Optional<Instant> foundDueAt = Optional.of(found.get().dueAt());
        return switch (found.get().state()) {
            case LEASED -> Finding.UNDER_WAY;
            case DEAD -> Finding.of(expected.id(), Kind.DEAD, Optional.of(due), foundDueAt);
            case SCHEDULED ->
                isRight(due, foundDueAt.get(), now)
                        ? Finding.RIGHT
                        : Finding.of(expected.id(), Kind.WRONG_DUE_TIME, Optional.of(due), foundDueAt);
        };
    }

    /** Of a task that should not be there, and waited for this moment. */
    Finding ofUnexpected(String id, Instant seenDueAt) {
        return queues.find(request.queue(), id)
                .filter(found ->
                        found.state() == TaskState.SCHEDULED && found.dueAt().equals(seenDueAt))
                .map(found -> Finding.of(id, Kind.LEFT_OVER, Optional.empty(), Optional.of(seenDueAt)))
                .orElse(Finding.RIGHT);
    }

    /** The moment at which a task should be due. */
    static Instant dueAt(ScheduleRequest expected) {
        if (expected.due().relative()) {
            throw new IllegalArgumentException(
                    "The task " + expected.id() + " of queue '" + expected.queue()
                            + "' should be due at a point in time, not after a delay, to be compared. Build its request with dueAt(...)");
        }
        return Instant.ofEpochMilli(expected.due().millis());
    }

    /** Tasks that are due are equal, whenever they became so, as a redrive or deliverNow sets another moment. */
    private boolean isRight(Instant due, Instant foundDueAt, Instant now) {
        return Duration.between(due, foundDueAt).abs().compareTo(request.tolerance()) <= 0
                || (!due.isAfter(now) && !foundDueAt.isAfter(now));
    }
}
