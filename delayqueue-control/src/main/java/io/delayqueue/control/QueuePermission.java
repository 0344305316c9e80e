// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

/** What somebody may do with a queue. None includes another one. */
public enum QueuePermission {
    /** See its counts and its tasks, without their payloads. */
    READ,
    /** Change it and its tasks. */
    OPERATE,
    /** See payloads, as a {@link PayloadFormatter} shows them. */
    PAYLOAD
}
