// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.TaskStoreBusyException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what callers that do not wait have given away, by number and by bytes, so that it stays within bounds. */
final class PendingTasks {

    static final long MAX_BYTES = 64L << 20;

    private final int maxTasks;
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    PendingTasks(int maxTasks) {
        this.maxTasks = maxTasks;
    }

    /** @throws TaskStoreBusyException if there is no room; then nothing was counted */
    void enter(String queue, String id, int size) {
        boolean full = tasks.incrementAndGet() > maxTasks;
        // One task always fits, however large.
        if (bytes.addAndGet(size) > MAX_BYTES && tasks.get() > 1) {
            full = true;
        }
        if (full) {
            leave(size);
            throw new TaskStoreBusyException("Queue '" + queue + "', task '" + id + "': " + maxTasks
                    + " tasks (delayqueue.redis.request-queue-size) or " + (MAX_BYTES >> 20)
                    + " MiB wait for Redis already; nothing was sent. Wait for some of their stages and try again");
        }
    }

    void leave(int size) {
        tasks.decrementAndGet();
        bytes.addAndGet(-size);
    }
}
