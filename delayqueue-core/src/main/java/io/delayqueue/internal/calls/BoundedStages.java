// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreBusyException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The stages of asynchronous calls, which complete on threads of their own. Bounds the outstanding calls by count and bytes,
 * and the stages of which dependents have not returned, each of which may need a thread. Safe for use by many threads.
 */
public final class BoundedStages {

    /** Stages beyond the bound of calls that may be completing. */
    public static final int ABOUT_TO_END = 256;

    private static final long MAX_BYTES = 64L << 20;

    private final int maxCalls;
    private final int maxStages;
    private final StageThreads threads;
    private final AtomicInteger stages = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** @param maxCalls that may be unanswered */
    public BoundedStages(int maxCalls, CallThreads calling) {
        this.maxCalls = maxCalls;
        this.maxStages = maxCalls + ABOUT_TO_END;
        this.threads = new StageThreads(calling, maxStages);
    }

    /** Returns the threads on which stages complete. */
    public StageThreads threads() {
        return threads;
    }

    /**
     * Returns the stage of a call for which there is room.
     *
     * @param call as {@link #enter} was told
     * @param endsAnywhere whether it completes on threads of the driver, so that the stage needs another one
     */
    public <R> CompletableFuture<R> stage(CompletableFuture<R> call, int size, boolean endsAnywhere) {
        CompletableFuture<R> stage = new CompletableFuture<>();
        call.whenComplete((answer, error) -> {
            leave(size);
            if (endsAnywhere) {
                threads.run(() -> end(stage, answer, error));
            } else {
                end(stage, answer, error);
            }
        });
        return stage;
    }

    private <R> void end(CompletableFuture<R> stage, R answer, @Nullable Throwable error) {
        try {
            if (error == null) {
                stage.complete(answer);
            } else {
                stage.completeExceptionally(TaskFailures.known(error));
            }
        } finally {
            stages.decrementAndGet();
        }
    }

    /**
     * Makes room for a call; {@link #stage} must follow.
     *
     * @param size about the bytes that it takes while it waits
     * @throws TaskStoreBusyException if there is no room; then nothing was counted
     */
    public void enter(String queue, String id, int size) {
        boolean full = calls.incrementAndGet() > maxCalls;
        // One task always fits, however large.
        if (bytes.addAndGet(size) > MAX_BYTES && calls.get() > 1) {
            full = true;
        }
        boolean blocked = stages.incrementAndGet() > maxStages;
        if (full || blocked) {
            leave(size);
            stages.decrementAndGet();
            throw new TaskStoreBusyException("Queue '" + queue + "', task '" + id + "': "
                    + (blocked
                            ? "what is attached to " + maxStages + " stages (delayqueue.redis.request-queue-size) has"
                                    + " not returned; nothing was sent. Attach less that blocks, or on an executor of its"
                                    + " own"
                            : maxCalls + " tasks (delayqueue.redis.request-queue-size) or " + (MAX_BYTES >> 20)
                                    + " MiB wait for Redis already; nothing was sent. Wait for some of their stages and"
                                    + " try again"));
        }
    }

    private void leave(int size) {
        calls.decrementAndGet();
        bytes.addAndGet(-size);
    }
}
