// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Published when an entry in the store came due but could not be read as a task. It is now a dead task.
 *
 * @param queue its queue
 * @param id its id, any text
 * @param reason what could not be read
 */
public record TaskQuarantined(String queue, String id, String reason) implements TaskDeath {}
