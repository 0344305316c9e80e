// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * What to do when a task is scheduled under an id that the queue already has.
 *
 * <p>A dead task still has its id. {@link #REPLACE}, {@link #EARLIEST} and {@link #LATEST} replace it whatever its due
 * time was, and it is gone. {@link #KEEP} keeps it, so that nothing is scheduled under its id until it is redriven and
 * delivered, discarded, or dropped by {@code dead.retention} or {@code dead.cap}. In a queue with
 * {@code dead.keep: none} no task that died is there, so none is in the way.
 */
public enum ConflictPolicy {
    /**
     * Take the new payload, headers and due time, and start counting attempts anew. Replaces a leased task too: the
     * running delivery of the old one is not stopped, but whatever becomes of it no longer matters.
     */
    REPLACE,
    /** Leave the task that is there as it is, whether it is waiting, leased or dead. */
    KEEP,
    /** Replace the task that is there only if the new one is due strictly before it. */
    EARLIEST,
    /** Replace the task that is there only if the new one is due strictly after it. */
    LATEST
}
