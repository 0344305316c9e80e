// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * An event for a task that was too late and not delivered. It is dead, or was deleted if its queue deletes expired
 * tasks.
 *
 * @param queue its queue
 * @param id its id
 * @param reason reason for the expiry
 */
public record TaskExpired(String queue, String id, String reason) implements TaskDeath {}
