// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreBusyException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds outstanding asynchronous calls by count and bytes, and the stages on which something attached has not returned
 * yet, each of which may need a thread. Safe for use by many threads.
 */
public final class OutstandingCalls {

    static final long MAX_BYTES = 64L << 20;

    /** Stages that are complete while what is attached to them returns, for callers that keep to the bound. */
    public static final int ABOUT_TO_END = 256;

    private final int maxTasks;
    private final AtomicInteger stages = new AtomicInteger();
    private final AtomicInteger tasks = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** @param maxTasks calls that may be unanswered */
    public OutstandingCalls(int maxTasks) {
        this.maxTasks = maxTasks;
    }

    /** The most stages that have not ended. */
    public int maxStages() {
        return maxTasks + ABOUT_TO_END;
    }

    /** @throws TaskStoreBusyException if there is no room; then nothing was counted */
    public void enter(String queue, String id, int size) {
        boolean full = tasks.incrementAndGet() > maxTasks;
        // One task always fits, however large.
        if (bytes.addAndGet(size) > MAX_BYTES && tasks.get() > 1) {
            full = true;
        }
        boolean blocked = stages.incrementAndGet() > maxStages();
        if (full || blocked) {
            leave(size);
            end();
            throw new TaskStoreBusyException("Queue '" + queue + "', task '" + id + "': "
                    + (blocked
                            ? "what is attached to " + maxStages() + " stages (delayqueue.redis.request-queue-size) has"
                                    + " not returned; nothing was sent. Attach less that blocks, or on an executor of its"
                                    + " own"
                            : maxTasks + " tasks (delayqueue.redis.request-queue-size) or " + (MAX_BYTES >> 20)
                                    + " MiB wait for Redis already; nothing was sent. Wait for some of their stages and"
                                    + " try again"));
        }
    }

    /** The call is answered. */
    public void leave(int size) {
        tasks.decrementAndGet();
        bytes.addAndGet(-size);
    }

    /** What is attached to the stage has returned. */
    public void end() {
        stages.decrementAndGet();
    }
}
