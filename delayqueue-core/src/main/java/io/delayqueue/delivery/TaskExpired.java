// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * A task was too late, so it was not delivered: it is dead, or deleted where its queue says so.
 *
 * @param queue its queue
 * @param id its id
 * @param reason why
 */
public record TaskExpired(String queue, String id, String reason) implements TaskDeath {}
