// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

/** Knows the layout of each queue that is in force, as far as this process has heard. Safe for use by many threads. */
public interface QueueLayouts {

    /**
     * The layout in force. Only the first call for a queue may wait for the store, and not for longer than a call to it may
     * take; when the store does not answer, the configured number of shards goes until more is known.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    QueueLayout of(String queue);

    /**
     * Takes over a layout that was met in the store, if it is newer than the one known. Does not block; listeners are called
     * before it returns.
     *
     * @return the layout now in force
     */
    QueueLayout adopt(String queue, QueueLayout layout);

    /** Calls the listener after each change, on any thread, so it must not block. */
    Registration listen(String queue, Runnable onChange);

    /** Layouts that change by {@link #adopt} only, and begin as the queues are configured. */
    static QueueLayouts fixed(QueueCatalog queues) {
        return new KnownLayouts(queues);
    }

    /** Ends listening. */
    interface Registration extends AutoCloseable {

        @Override
        void close();
    }
}
