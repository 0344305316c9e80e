// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;

/** Observes the messages between triggers. */
public interface PeerWatch {

    /** Observes nothing. */
    PeerWatch NONE = new PeerWatch() {};

    default WakeSignals onSignals(WakeSignals signals) {
        return signals;
    }

    default ShardOwnership onOwnership(ShardOwnership ownership) {
        return ownership;
    }
}
