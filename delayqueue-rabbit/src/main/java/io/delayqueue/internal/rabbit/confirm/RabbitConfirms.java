// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

/**
 * Counts of the broker's answers to a publisher's messages since its creation. A message that is sent twice counts
 * twice.
 *
 * @param acks accepted messages
 * @param nacks refused messages, for example because a queue is full
 * @param returns unroutable messages
 * @param timeouts messages without a confirm in time
 * @param lost messages whose connection or channel ended before a confirm
 */
public record RabbitConfirms(long acks, long nacks, long returns, long timeouts, long lost) {}
