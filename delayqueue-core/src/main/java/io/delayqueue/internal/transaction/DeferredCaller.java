// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.DelayQueueException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a deferred call. Does not hold the payload, so it may be kept for a long time.
 *
 * @param what description of the call, to start a message with
 * @param stage stage for the outcome; null if the caller does not wait for it
 * @param threads complete the stage and run its dependents
 * @param <O> result of the call
 */
public record DeferredCaller<O>(String what, @Nullable CompletableFuture<O> stage, Executor threads) {

    /** Returns whether the caller has a stage for the outcome. */
    public boolean hasStage() {
        return stage != null;
    }

    /** Fails the stage. Does not block. */
    public void fail(DelayQueueException reason) {
        if (stage != null) {
            threads.execute(() -> stage.completeExceptionally(reason));
        }
    }

    /**
     * Completes the stage with the result of the call's change. An error takes precedence over an outcome. Does not
     * block.
     */
    @SuppressWarnings("unchecked") // The outcome has the type that the change defines.
    public void end(ChangeResult result) {
        if (result.error() != null) {
            fail(result.error());
        } else if (stage != null) {
            threads.execute(() -> stage.complete((O) Objects.requireNonNull(result.outcome())));
        }
    }
}
