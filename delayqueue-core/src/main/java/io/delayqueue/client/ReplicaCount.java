// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

/** How many replicas have what a call did that may have asked several shards: the fewest of those where the task was found. */
final class ReplicaCount {

    private int whereFound = Integer.MAX_VALUE;
    private int elsewhere = Integer.MAX_VALUE;

    synchronized void note(boolean found, int replicas) {
        if (found) {
            whereFound = Math.min(whereFound, replicas);
        } else {
            elsewhere = Math.min(elsewhere, replicas);
        }
    }

    /** Where it was not found anywhere, the fewest that know so. */
    synchronized int reached() {
        return (whereFound < Integer.MAX_VALUE) ? whereFound : elsewhere;
    }
}
