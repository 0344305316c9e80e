// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import org.jspecify.annotations.Nullable;

/** What is kept for a queue as a whole. Every call on it is made under its lock. */
final class MemoryQueue {

    /** The recorded layout; empty for none. */
    String layout = "";
    /** Whether tasks may have shard keys other than their ids. */
    boolean usesShardKeys;

    final Claim mover = new Claim();
    final Claim forwarder = new Claim();

    /** What one process at a time may do. */
    static final class Claim {

        private @Nullable String owner;
        private long until;

        /** @param millis until another one may have it; 0 gives it up */
        boolean take(String claimant, long millis, Now now) {
            if (owner != null && !owner.equals(claimant) && until > now.millis()) {
                return false;
            }
            owner = millis == 0 ? null : claimant;
            until = now.millis() + millis;
            return true;
        }

        boolean isFree() {
            return owner == null;
        }
    }
}
