// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

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

    /**
     * Does not block. Whatever is thrown comes through the stage as well, and so does that there is no room.
     */
    public <R> CompletionStage<R> of(String queue, String id, Supplier<CompletableFuture<R>> call) {
        try {
            outstanding.enter(queue, id, BYTES_OF_A_CALL);
        } catch (DelayQueueException ex) {
            return CompletableFuture.failedFuture(ex);
        }
        CompletableFuture<R> stage = new CompletableFuture<>();
        try {
            call.get().whenComplete((answer, error) -> {
                outstanding.leave(BYTES_OF_A_CALL);
                threads.run(() -> {
                    try {
                        if (error == null) {
                            stage.complete(answer);
                        } else {
                            stage.completeExceptionally(TaskFailures.known(error));
                        }
                    } finally {
                        outstanding.end();
                    }
                });
            });
        } catch (RuntimeException | Error ex) {
            outstanding.leave(BYTES_OF_A_CALL);
            outstanding.end();
            stage.completeExceptionally(ex);
        }
        return stage;
    }
}
