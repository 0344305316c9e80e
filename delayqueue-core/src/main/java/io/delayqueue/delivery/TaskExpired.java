// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Event for a task that was not delivered because it was too late. The task is dead, or was deleted if its queue
 * deletes expired tasks.
 *
 * @param queue its queue
 * @param id its id
 * @param reason reason for the expiry
 */
public record TaskExpired(String queue, String id, String reason) implements TaskDeath {}
