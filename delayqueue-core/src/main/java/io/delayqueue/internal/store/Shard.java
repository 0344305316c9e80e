// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * One partition of a queue.
 *
 * @param queue the queue's name
 * @param index 0 to M - 1
 */
public record Shard(String queue, int index) {

    @Override
    public String toString() {
        return queue + ":" + index;
    }
}
