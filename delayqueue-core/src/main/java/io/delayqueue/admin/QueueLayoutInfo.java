// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.List;

/**
 * Over how many shards a queue is spread.
 *
 * @param shards the number in force, for every process
 * @param configured the configured number that the last change by configuration came from; a process that starts with another
 *     one asks for a change
 * @param movingFrom earlier numbers from which tasks are still being moved, oldest first; empty when every task is in its place
 */
public record QueueLayoutInfo(int shards, int configured, List<Integer> movingFrom) {

    public QueueLayoutInfo {
        movingFrom = List.copyOf(movingFrom);
    }

    /** Whether tasks are still being moved. */
    public boolean isMoving() {
        return !movingFrom.isEmpty();
    }
}
