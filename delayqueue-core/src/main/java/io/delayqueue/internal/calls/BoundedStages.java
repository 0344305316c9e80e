// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreBusyException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes asynchronous calls, whose stages complete on threads of their own. Bounds the outstanding calls by count and bytes,
 * and the stages of which dependents have not returned, each of which may need a thread. Safe for use by many threads.
 */
public final class BoundedStages {

    /** Stages beyond the bound of calls that may be completing. */
    public static final int ABOUT_TO_END = 256;

    private static final long MAX_BYTES = 64L << 20;
    /** About what a call by an id takes while it waits. */
    private static final int BYTES_OF_A_CALL = 128;

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

    /** Makes a call for one task by its id, which completes on any thread. */
    public <R> CompletionStage<R> of(String queue, String id, Supplier<CompletableFuture<R>> call) {
        return of(queue, id, BYTES_OF_A_CALL, threads::run, call);
    }

    /** Makes a call that completes on the threads for stages. */
    public <R> CompletionStage<R> ofStages(String queue, String id, int size, Supplier<CompletableFuture<R>> call) {
        return of(queue, id, size, Runnable::run, call);
    }

    /** Does not block. Whatever is thrown fails the stage, also that there is no room. */
    private <R> CompletionStage<R> of(
            String queue, String id, int size, Executor ending, Supplier<CompletableFuture<R>> call) {
        try {
            enter(queue, id, size);
        } catch (DelayQueueException ex) {
            return CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<R> stage = new CompletableFuture<>();
        try {
            call.get().whenComplete((answer, error) -> {
                leave(size);
                ending.execute(() -> end(stage, answer, error));
            });
        } catch (RuntimeException | Error ex) {
            leave(size);
            stages.decrementAndGet();
            stage.completeExceptionally(ex);
        }
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

    /** @throws TaskStoreBusyException if there is no room; then nothing was counted */
    private void enter(String queue, String id, int size) {
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
