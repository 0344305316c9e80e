// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import java.time.Instant;

/**
 * An address whose messages the broker nacks at present, for example while a queue with
 * {@code x-overflow: reject-publish} is full.
 *
 * @param exchange name of the exchange; empty for the default exchange
 * @param routingKey routing key of the messages
 * @param since time when the first of them was nacked, by this process's clock
 * @param nacks number of nacks since then
 */
public record RabbitRefusal(String exchange, String routingKey, Instant since, long nacks) {}
