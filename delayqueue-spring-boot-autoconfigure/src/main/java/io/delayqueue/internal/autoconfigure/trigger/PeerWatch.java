// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.trigger;

import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;

/** Looks on what triggers hear of each other. */
public interface PeerWatch {

    /** Nobody looks on. */
    PeerWatch NONE = new PeerWatch() {};

    default WakeSignals onSignals(WakeSignals signals) {
        return signals;
    }

    default ShardOwnership onOwnership(ShardOwnership ownership) {
        return ownership;
    }
}
