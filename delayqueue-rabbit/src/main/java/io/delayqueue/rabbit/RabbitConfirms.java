// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

/**
 * What the broker said of the messages that a publisher has sent, since it was made. A message that was sent again counts
 * again.
 *
 * @param acks the broker has them
 * @param nacks the broker refused them, as a full queue does
 * @param returns no queue took them
 * @param timeouts no confirm came in time
 * @param lost the connection or channel ended before a confirm came
 */
public record RabbitConfirms(long acks, long nacks, long returns, long timeouts, long lost) {}
