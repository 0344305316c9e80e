// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import java.time.Instant;

/**
 * An address whose messages the broker currently nacks, for example while a queue with {@code x-overflow:
 * reject-publish} is full.
 *
 * @param exchange name of the exchange; empty for the default exchange
 * @param routingKey routing key of the messages
 * @param since time of the first nack, by this process's clock
 * @param nacks number of nacks since that time
 */
public record RabbitRefusal(String exchange, String routingKey, Instant since, long nacks) {}
