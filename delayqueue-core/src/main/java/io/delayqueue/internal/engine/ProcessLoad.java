// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.util.Collection;

/**
 * The current deliveries of this process.
 *
 * @param queues the queues that it delivers
 * @param workers maximum number of batches that it delivers at a time, for all queues
 * @param busy number of batches that it is delivering
 */
public record ProcessLoad(Collection<String> queues, long workers, long busy) {}
