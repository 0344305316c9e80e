// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

/** The permissions of a caller for a queue. No permission implies another. */
public enum QueuePermission {
    /** Read its counts and tasks, without payloads. */
    READ,
    /** Change it and its tasks. */
    OPERATE,
    /** See payloads in the form that a {@link PayloadFormatter} returns. */
    PAYLOAD,
    /** Schedule tasks with any payload, and replace tasks. Not part of {@link QueueAccessResolver#READ_AND_OPERATE}. */
    SCHEDULE
}
