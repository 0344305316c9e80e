// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

/** What the library is held to. */
public enum Rule {
    /** What was stored for certain, and neither cancelled nor replaced, was delivered or is dead. */
    LOST,
    /** Nothing is delivered, or dead, that nobody scheduled, that was refused, or under another id or due time. */
    UNEXPECTED,
    /** Nothing is delivered before its due time, by the Redis server's clock. */
    EARLY,
    /**
     * After CANCELLED nothing of the task is delivered, before it no delivery was under way; after IN_FLIGHT none
     * begins.
     */
    CANCELLED,
    /** The same for what was replaced or rescheduled. */
    REPLACED,
    /** A task is delivered once, but for causes that were logged and concern that very delivery. */
    DUPLICATE,
    /** The end of a lease is not accepted from one who no longer has it. */
    STALE_SETTLE,
    /** Of two deliveries of a queue and id the later one has the higher fencing token. */
    TOKEN_ORDER,
    /** A write of the later delivery is not refused because of the token of an earlier one. */
    FENCED,
    /** Of an id at most one version lives; what was followed by another does not come back. */
    REVIVED,
    /** What the last committed transaction of an id asked of the outbox is what holds for it in the end. */
    COMMIT_ORDER,
    /** After the drain no task is live and no key is left but those that are documented to stay. */
    LEFT_OVER,
    /** What is dead had exactly the configured attempts. */
    DEAD_ATTEMPTS,
    /**
     * Where the broker stays, an attempt that it leaves without an answer is a failed one, and the dead say so. One
     * attempt of a task need not count: that in a batch with tasks for other addresses.
     */
    UNCOUNTED,
    /** What goes to a queue that answers is neither failed nor held up for the sake of one that does not. */
    BLAMED,
    /**
     * Nothing begins later after its due time than its queue allows, or outside of its hours, but for the answer of an
     * acquire; and nothing is dropped as too late before.
     */
    UNTIMELY,
    /** Deliveries are on time again soon after the last fault. */
    LATE,
    /** A call is answered, or fails, within its time-out and what is stated beyond it. */
    HELD_UP
}
