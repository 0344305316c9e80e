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
 * @param <O> result of the call
 */
public final class DeferredCaller<O> {

    private final String what;
    private final @Nullable CompletableFuture<O> stage;
    private final Executor threads;

    DeferredCaller(TaskChange<O> change, @Nullable CompletableFuture<O> stage, Executor threads) {
        this.what = change.what();
        this.stage = stage;
        this.threads = threads;
    }

    /** Returns a description of the call, to start a message with. */
    public String said() {
        return what + ": ";
    }

    /** Returns whether the caller has a stage for the outcome. */
    public boolean hasStage() {
        return stage != null;
    }

    @Nullable
    CompletableFuture<O> stage() {
        return stage;
    }

    Executor threads() {
        return threads;
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
