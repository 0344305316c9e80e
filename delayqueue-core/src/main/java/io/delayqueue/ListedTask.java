// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;
import java.util.Optional;

/**
 * A snapshot of a stored task, as returned by the methods that list tasks. {@link DelayQueueOperations#find} returns a
 * {@link FoundTask}, which also has the decoded payload.
 */
public interface ListedTask {

    /** Returns its queue. */
    String queue();

    /** Returns its full id, which includes the key and the group. */
    String id();

    /** Returns its state. */
    TaskState state();

    /** Returns its due time as scheduled or last rescheduled. */
    Instant dueAt();

    /**
     * Returns the time when it is due or retried; for a leased task, the end of the lease; for a dead task, the time of
     * death.
     */
    Instant nextAttentionAt();

    /** Returns the number of failed attempts. */
    int failures();

    /** Returns the number of attempts whose lease expired, for example because the process died. */
    int leaseExpiries();

    /** Returns the reason for the last failed attempt. */
    Optional<String> lastReason();

    /** Returns its stored contents; empty in a list without contents, or if they cannot be read. */
    Optional<TaskContent> content();
}
