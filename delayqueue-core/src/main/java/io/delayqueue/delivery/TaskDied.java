// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * A task has died of its last attempt, of an error after which no attempt can succeed, or of expired leases.
 *
 * @param queue its queue
 * @param id its id
 * @param reason why
 */
public record TaskDied(String queue, String id, String reason) implements TaskDeath {}
