// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.DelayQueueException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A call that was made within a transaction, and its caller, who may wait for what becomes of it.
 *
 * @param <O> what the call answers
 */
public final class DeferredCall<O> {

    private final TaskChange<O> change;
    private final DeferredCaller<O> caller;

    private DeferredCall(TaskChange<O> change, @Nullable CompletableFuture<O> stage, Executor threads) {
        this.change = change;
        this.caller = new DeferredCaller<>(change, stage, threads);
    }

    /** One whose caller was told that it is deferred, and hears no more. */
    public static <O> DeferredCall<O> of(TaskChange<O> change) {
        return new DeferredCall<>(change, null, Runnable::run);
    }

    /**
     * One whose caller has a stage.
     *
     * @param threads on which it may complete, with all that the application attached to it
     */
    public static <O> DeferredCall<O> withStage(TaskChange<O> change, Executor threads) {
        return new DeferredCall<>(change, new CompletableFuture<>(), threads);
    }

    public TaskChange<O> change() {
        return change;
    }

    /** Without the change. */
    public DeferredCaller<O> caller() {
        return caller;
    }

    /** On which the caller's stage completes. What is run there may block. */
    Executor threads() {
        return caller.threads();
    }

    /** Whether the caller has a stage, rather than wait until the call is made. */
    public boolean hasStage() {
        return caller.hasStage();
    }

    /** Completes when one of {@link #complete} and {@link #fail} is called; failed for a call without one. */
    public CompletionStage<O> stage() {
        CompletableFuture<O> stage = caller.stage();
        return (stage != null)
                ? stage
                : CompletableFuture.failedFuture(
                        new IllegalStateException("The caller of " + change + " has no stage"));
    }

    /** The call was made, and this is its answer. Does not block. */
    public void complete(O outcome) {
        caller.complete(outcome);
    }

    /** The call was not made, or nothing is known of it. Does not block. */
    public void fail(DelayQueueException reason) {
        caller.fail(reason);
    }

    /** As the result of this call's change says; an error counts more than an outcome. */
    public void end(ChangeResult result) {
        caller.end(result);
    }
}
