// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.time.Instant;

/**
 * An address whose messages the broker nacks at present, as it does while a queue with {@code x-overflow:
 * reject-publish} is full.
 *
 * @param exchange empty for the default exchange
 * @param routingKey with which messages go there
 * @param since when the first of them was nacked, by this process's clock
 * @param nacks how many were nacked since then
 */
public record RabbitRefusal(String exchange, String routingKey, Instant since, long nacks) {}
