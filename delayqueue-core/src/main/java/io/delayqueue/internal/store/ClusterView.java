// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * Where a process learns what the others do.
 *
 * @param rates what all have counted
 * @param operations how far operations by filter are, whoever runs them
 * @param ownership which of them owns which shard
 * @param callTimeout within which each call to the store is answered or fails
 */
public record ClusterView(RateStore rates, OperationStore operations, ShardOwnership ownership, Duration callTimeout) {

    /** Of a process that knows of no others. */
    public static final ClusterView NONE =
            new ClusterView(RateStore.NONE, OperationStore.NONE, ShardOwnership.EVERYONE, Duration.ofSeconds(2));

    public static ClusterView of(TaskStore store, ShardOwnership ownership) {
        return new ClusterView(store.rates(), store.operations(), ownership, store.callTimeout());
    }
}
