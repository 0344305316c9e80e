// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * An event for due data in the store that cannot be read as a task and is now a dead task.
 *
 * @param queue its queue
 * @param id its id, any text
 * @param reason what could not be read
 */
public record TaskQuarantined(String queue, String id, String reason) implements TaskDeath {}
