// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.LongSupplier;

/** The store under a contract, with access to its contents. */
public interface ContractStore {

    /** Deletes everything. */
    void clear();

    /** Returns whether it is empty. */
    boolean isEmpty();

    /**
     * The store of one process; others of the same keep see what it does.
     *
     * @param clockOffsetMillis added to the clock
     */
    TaskStore tasks(Duration timeout, LongSupplier clockOffsetMillis);

    /** Its queue {@code told} has a history of 200 entries, the others have none. */
    static int historyLength(String queue) {
        return queue.equals("told") ? 200 : 0;
    }

    /** All that is kept for a shard, and the clock without any offset. */
    ShardState state(Shard shard);

    /** Returns the time of the clock in microseconds, without any offset. */
    Instant clock();

    /** Listens to the wake messages of a queue. */
    Ear listen(String queue);

    /** Forgets what the store can do without, as a server does with its scripts. */
    default void forgetScripts() {}

    /** Receives wake messages. */
    interface Ear extends AutoCloseable {

        /** Returns the messages since the last call. */
        List<String> heard();

        @Override
        void close();
    }
}
