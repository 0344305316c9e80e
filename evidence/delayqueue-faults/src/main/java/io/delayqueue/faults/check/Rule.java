// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

/** The rules that the library must keep. */
public enum Rule {
    /** A task that was certainly stored, and neither cancelled nor replaced, was delivered or is dead. */
    LOST,
    /**
     * No task is delivered or dead unless a caller has scheduled it, with this id and due time, and the call was not
     * refused.
     */
    UNEXPECTED,
    /** Nothing is delivered before its due time, by the Redis server's clock. */
    EARLY,
    /**
     * Before CANCELLED no delivery of the task was in progress, and after it none happens; after IN_FLIGHT none begins.
     */
    CANCELLED,
    /** The same for replaced and rescheduled tasks. */
    REPLACED,
    /** A task is delivered once, unless a recorded cause explains the second delivery. */
    DUPLICATE,
    /** The end of a lease is not accepted from a process that has lost it. */
    STALE_SETTLE,
    /** The later of two deliveries of an id in a queue has the higher fencing token. */
    TOKEN_ORDER,
    /** A write of the later delivery is not refused because of the token of an earlier one. */
    FENCED,
    /** At most one version of an id is live; a replaced version does not come back. */
    REVIVED,
    /** The last committed outbox call for an id determines its final state. */
    COMMIT_ORDER,
    /** After the drain, no task is live, and only keys remain that are documented to stay. */
    LEFT_OVER,
    /** A dead task had exactly the configured number of attempts. */
    DEAD_ATTEMPTS,
    /**
     * If the broker stays available, an attempt that it does not answer counts as failed, and the count of dead tasks
     * includes it. One attempt of a task need not count: the one in a batch with tasks for other addresses.
     */
    UNCOUNTED,
    /** Messages for an answering queue neither fail nor wait because of a silent queue. */
    BLAMED,
    /**
     * No delivery begins later than its queue allows (plus the time of one acquire) or outside its hours. No task is
     * dropped as too late before its limit.
     */
    UNTIMELY,
    /** No key has more deliveries per time, or in progress, than its limits allow. */
    OVER_LIMIT,
    /** Deliveries are on time again soon after the last fault. */
    LATE,
    /** A call is answered, or fails, within its time-out plus the documented excess. */
    HELD_UP
}
