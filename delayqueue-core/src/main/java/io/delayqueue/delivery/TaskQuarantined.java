// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Event for a stored task that became due but could not be read. The task is dead.
 *
 * @param queue its queue
 * @param id its id, any text
 * @param reason what could not be read
 */
public record TaskQuarantined(String queue, String id, String reason) implements TaskDeath {}
