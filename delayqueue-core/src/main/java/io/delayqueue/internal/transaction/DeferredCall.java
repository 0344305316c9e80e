// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A call made within a transaction.
 *
 * @param caller the caller, who may wait for its outcome
 * @param <O> result of the call
 */
public record DeferredCall<O>(TaskChange<O> change, DeferredCaller<O> caller) {

    /** Returns a call whose caller does not wait for the outcome. */
    public static <O> DeferredCall<O> of(TaskChange<O> change) {
        return new DeferredCall<>(change, new DeferredCaller<>(change.what(), null, Runnable::run));
    }

    /**
     * Returns a call whose caller waits for {@link #stage}.
     *
     * @param threads complete the stage and run its dependents
     */
    public static <O> DeferredCall<O> withStage(TaskChange<O> change, Executor threads) {
        return new DeferredCall<>(change, new DeferredCaller<>(change.what(), new CompletableFuture<>(), threads));
    }

    public CompletableFuture<O> stage() {
        return Objects.requireNonNull(caller.stage());
    }
}
