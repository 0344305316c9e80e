// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.internal.concurrent.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Completes the stages of asynchronous calls on separate threads. Limits the number and the bytes of outstanding calls.
 * Also limits the number of stages whose dependents are still running, because each may need a thread. Thread-safe.
 */
public final class BoundedStages {

    /** Number of stages that may be completing in addition to the limit of calls. */
    public static final int ABOUT_TO_END = 256;

    private static final long MAX_BYTES = 64L << 20;

    private final int maxCalls;
    private final int maxStages;
    private final StageThreads threads;
    private final AtomicInteger stages = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** @param maxCalls maximum number of calls without a reply */
    public BoundedStages(int maxCalls, Scheduler calling) {
        this.maxCalls = maxCalls;
        this.maxStages = maxCalls + ABOUT_TO_END;
        this.threads = new StageThreads(calling, maxStages);
    }

    public StageThreads threads() {
        return threads;
    }

    /**
     * Returns the stage of an admitted call.
     *
     * @param call the call for which {@link #enter} was called
     * @param endsAnywhere whether the call may complete on a driver's thread, so that the stage needs another thread
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
     * Admits a call, for which the caller must then call {@link #stage}.
     *
     * @param size approximate size of the call in bytes
     * @throws TaskStoreBusyException if a limit is reached; the call is then not counted
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
            throw new TaskStoreBusyException(
                    "Queue '" + queue + "', task '" + id + "': "
                            + (blocked
                                    ? "the dependents of " + maxStages
                                            + " stages (delayqueue.redis.request-queue-size) have not returned; nothing "
                                            + "was sent. Attach fewer dependents that block, or use a separate executor "
                                            + "for them"
                                    : maxCalls + " tasks (delayqueue.redis.request-queue-size) or " + (MAX_BYTES >> 20)
                                            + " MiB already wait for Redis; nothing was sent. Wait for some of "
                                            + "their stages and retry"),
                    false,
                    null);
        }
    }

    private void leave(int size) {
        calls.decrementAndGet();
        bytes.addAndGet(-size);
    }
}
