// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Something in the store was due that cannot be read as a task; it is a dead one from now on.
 *
 * @param queue its queue
 * @param id its id, any text
 * @param reason what could not be read
 */
public record TaskQuarantined(String queue, String id, String reason) implements TaskDeath {}
