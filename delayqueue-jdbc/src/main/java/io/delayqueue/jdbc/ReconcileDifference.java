// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Instant;
import java.util.Optional;

/**
 * A task that differs between the database and the queue.
 *
 * @param id id of the task
 * @param kind kind of difference
 * @param expectedDueAt when it should be due, considering the hours of its request or queue; empty if it should not
 *     exist
 * @param foundDueAt when it is due in the queue; empty if it is not in the queue
 * @param mended whether the run has written the change to the outbox; it reaches Redis soon afterwards
 */
public record ReconcileDifference(
        String id, Kind kind, Optional<Instant> expectedDueAt, Optional<Instant> foundDueAt, boolean mended) {

    /** Kinds of difference between the database and the queue. */
    public enum Kind {
        /** The task should exist but does not. Repaired by scheduling it. */
        MISSING,
        /** The task is due at another moment than expected. Repaired by rescheduling it. */
        WRONG_DUE_TIME,
        /** The task waits but should not exist. Repaired by cancelling it. */
        LEFT_OVER,
        /**
         * The task should be delivered but is dead. Never repaired: an operator has to decide whether to redrive it.
         */
        DEAD
    }
}
