// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Instant;
import java.util.Optional;

/**
 * A task about which the database and the queue differ.
 *
 * @param id the task
 * @param kind how they differ
 * @param expectedDueAt when it should be due, by the application and the hours of its request or queue; empty if it should
 *     not be there
 * @param foundDueAt when it is due in the queue; empty if it is not there
 * @param mended whether the run has written the change to the outbox; it reaches Redis a moment later
 */
public record ReconcileDifference(
        String id, Kind kind, Optional<Instant> expectedDueAt, Optional<Instant> foundDueAt, boolean mended) {

    /** How the database and the queue differ about a task. */
    public enum Kind {
        /** It should be there, and is not. Mended by scheduling it. */
        MISSING,
        /** It waits for another moment than it should. Mended by rescheduling it. */
        WRONG_DUE_TIME,
        /** It waits, and should not be there. Mended by cancelling it. */
        LEFT_OVER,
        /** It should be delivered, and is dead. Never mended: somebody has to decide whether to redrive it. */
        DEAD
    }
}
