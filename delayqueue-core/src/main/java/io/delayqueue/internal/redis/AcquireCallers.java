// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.Shard;
import java.util.Deque;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Who acquires from which shard. A caller has a name and makes one call at a time, so that the shard need remember only
 * its last one; what that took is given back by the caller's next call if its answer was never heard. Safe for use by
 * many threads.
 */
final class AcquireCallers {

    private final Map<Shard, Deque<Caller>> idle = new ConcurrentHashMap<>();

    /** For one call; to be given back at its end. One that missed an answer comes first. */
    Caller take(Shard shard) {
        Caller caller = idle(shard).pollFirst();
        return (caller != null) ? caller : new Caller();
    }

    void giveBack(Shard shard, Caller caller) {
        if (caller.missedAnAnswer()) {
            idle(shard).addFirst(caller);
        } else {
            idle(shard).addLast(caller);
        }
    }

    private Deque<Caller> idle(Shard shard) {
        return idle.computeIfAbsent(shard, s -> new ConcurrentLinkedDeque<>());
    }

    /** One of this process. No other one has its name, which says which process this is. */
    static final class Caller {

        private final byte[] name = RedisBytes.bytes(
                ProcessName.OWN + "/" + Long.toString(UUID.randomUUID().getMostSignificantBits() >>> 1, 36));
        private long sent;
        private long heard;

        byte[] name() {
            return name;
        }

        /** The number of a call that is about to be sent, also of one that is sent again. */
        synchronized byte[] nextNumber() {
            return RedisBytes.bytes(++sent);
        }

        /** The number of the last call whose answer is here. */
        synchronized byte[] heard() {
            return RedisBytes.bytes(heard);
        }

        /** The answer to the call sent last is here, and its leases are known. */
        synchronized void answered() {
            heard = sent;
        }

        private synchronized boolean missedAnAnswer() {
            return heard < sent;
        }
    }
}
