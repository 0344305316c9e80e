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
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** One look at the queue for one task. */
final class Comparison {

    private final DelayQueueOperations queues;
    private final ReconcileRequest request;
    private final DueTimes dueTimes;
    private final InstantSource clock;

    Comparison(DelayQueueOperations queues, ReconcileRequest request, DueTimes dueTimes, InstantSource clock) {
        this.queues = queues;
        this.request = request;
        this.dueTimes = dueTimes;
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
        Instant due = dueTimes.of(expected);
        Instant now = clock.instant();
        Optional<FoundTask<EncodedPayload>> found = queues.find(request.queue(), expected.id());
        if (found.isEmpty()) {
            return mayBeHandedOver(expected, due, now)
                    ? Finding.UNDER_WAY
                    : Finding.of(expected.id(), Kind.MISSING, Optional.of(due), Optional.empty());
        }
        Optional<Instant> foundDueAt = Optional.of(found.get().dueAt());
        return switch (found.get().state()) {
            case LEASED -> Finding.UNDER_WAY;
            case DEAD -> Finding.of(expected.id(), Kind.DEAD, Optional.of(due), foundDueAt);
            case SCHEDULED ->
                isRight(expected, due, foundDueAt.get(), now)
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

    /** Whether it may have been delivered for the first time just now: it became due, or its hours have begun. */
    private boolean mayBeHandedOver(ScheduleRequest expected, Instant due, Instant now) {
        Instant lately = now.minus(request.handedOver());
        Instant delivered = dueTimes.opening(expected, later(due, lately));
        return delivered.isAfter(lately) && !delivered.isAfter(now);
    }

    /**
     * Tasks that are delivered at the same moment are equal, such as those that are due, whenever they became so, as a redrive
     * or deliverNow sets another moment; and those that wait for the same opening of their hours.
     */
    private boolean isRight(ScheduleRequest expected, Instant due, Instant foundDueAt, Instant now) {
        return Duration.between(due, foundDueAt).abs().compareTo(request.tolerance()) <= 0
                || dueTimes.opening(expected, later(due, now))
                        .equals(dueTimes.opening(expected, later(foundDueAt, now)));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }
}
