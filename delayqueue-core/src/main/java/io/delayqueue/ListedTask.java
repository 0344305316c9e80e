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

    /** Returns its whole id, which names the key and the group too. */
    String id();

    /** Returns its state. */
    TaskState state();

    /** Returns its due time as scheduled or last rescheduled. */
    Instant dueAt();

    /** Returns when it is due or retried; for a leased task when its lease ends; for a dead task when it died. */
    Instant nextAttentionAt();

    /** Returns the number of failed attempts. */
    int failures();

    /** Returns the number of attempts whose lease expired, for example because the process died. */
    int leaseExpiries();

    /** Returns why the last unsuccessful attempt failed. */
    Optional<String> lastReason();

    /** Returns its contents as stored; empty in a list without contents, or if the stored bytes cannot be read. */
    Optional<TaskContent> content();
}
