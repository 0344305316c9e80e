// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Event for a task that died: its last attempt failed, an error made retries pointless, or too many leases expired.
 *
 * @param queue its queue
 * @param id its id
 * @param reason reason for the death
 */
public record TaskDied(String queue, String id, String reason) implements TaskDeath {}
