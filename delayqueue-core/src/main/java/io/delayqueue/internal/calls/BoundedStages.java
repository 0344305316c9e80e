// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the calls of callers that do not wait: bounded, and with stages that complete on the threads for stages. */
public final class BoundedStages {

    /** About what a call by an id takes while it waits. */
    private static final int BYTES_OF_A_CALL = 128;

    private final OutstandingCalls outstanding;
    private final StageThreads threads;

    public BoundedStages(OutstandingCalls outstanding, StageThreads threads) {
        this.outstanding = outstanding;
        this.threads = threads;
    }

    /** Makes a call for one task by its id, which completes on any thread. */
    public <R> CompletionStage<R> of(String queue, String id, Supplier<CompletableFuture<R>> call) {
        return of(queue, id, BYTES_OF_A_CALL, threads::run, call);
    }

    /** Makes a call that completes on the threads for stages. */
    public <R> CompletionStage<R> ofStages(String queue, String id, int bytes, Supplier<CompletableFuture<R>> call) {
        return of(queue, id, bytes, Runnable::run, call);
    }

    /** Does not block. Whatever is thrown fails the stage, also that there is no room. */
    private <R> CompletionStage<R> of(
            String queue, String id, int bytes, Executor ending, Supplier<CompletableFuture<R>> call) {
        try {
            outstanding.enter(queue, id, bytes);
        } catch (DelayQueueException ex) {
            return CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<R> stage = new CompletableFuture<>();
        try {
            call.get().whenComplete((answer, error) -> {
                outstanding.leave(bytes);
                ending.execute(() -> end(stage, answer, error));
            });
        } catch (RuntimeException | Error ex) {
            outstanding.leave(bytes);
            outstanding.end();
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
            outstanding.end();
        }
    }
}
