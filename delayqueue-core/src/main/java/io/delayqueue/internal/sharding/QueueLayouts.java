// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.queue.QueueCatalog;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Knows the layout of each queue that is in force, as far as this process has heard. Safe for use by many threads. */
public interface QueueLayouts {

    /**
     * The layout in force, as far as it is known. Never blocks: until the recorded one has been read, the answer is the
     * configured number of shards as an {@linkplain QueueLayout#isUnknown() unknown} layout.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    QueueLayout of(String queue);

    /**
     * Reads the recorded layout, without blocking, and takes it over. Completes on a thread of the driver.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    CompletableFuture<QueueLayout> refresh(String queue);

    /**
     * Asks shards for the newest layout that a caller went by there, without blocking, and takes it over: after a
     * failover they may know of one that is recorded nowhere else.
     *
     * @param shards 0 to this less 1 are asked
     * @return the layout now in force
     */
    CompletableFuture<QueueLayout> newestSeen(String queue, int shards);

    /**
     * Takes over a layout that was met in the store, if it is newer than the one known. Does not block; listeners are
     * called before it returns.
     *
     * @return the layout now in force
     */
    QueueLayout adopt(String queue, QueueLayout layout);

    /** Calls the listener after each change, on any thread, so it must not block. */
    Registration listen(String queue, Runnable onChange);

    /** Layouts that change by {@link #adopt} only, and begin as the queues are configured. */
    static QueueLayouts fixed(QueueCatalog queues) {
        return fixed(queue -> QueueLayout.initial(queues.get(queue).shards()));
    }

    /** The same, which begin as this says when a queue is asked for the first time; it must not call back. */
    static QueueLayouts fixed(Function<String, QueueLayout> first) {
        return new KnownLayouts(first);
    }

    /** Ends listening. */
    interface Registration extends AutoCloseable {

        @Override
        void close();
    }
}
