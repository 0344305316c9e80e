// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.DelayQueueException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Who has made a call within a transaction, and may wait for what becomes of it. Holds nothing of the payload, so that it may be
 * kept for long.
 *
 * @param <O> what the call answers
 */
public final class DeferredCaller<O> {

    private final String queue;
    private final String id;
    private final String verb;
    private final @Nullable CompletableFuture<O> stage;
    private final Executor threads;

    DeferredCaller(TaskChange<O> change, @Nullable CompletableFuture<O> stage, Executor threads) {
        this.queue = change.queue();
        this.id = change.id();
        this.verb = change.verb();
        this.stage = stage;
        this.threads = threads;
    }

    /** Which call it is, at the beginning of a sentence. */
    public String said() {
        return "Queue '" + queue + "', " + verb + " '" + id + "': ";
    }

    /** Whether the caller has a stage, rather than wait until the call is made. */
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

    /** The call was made, and this is its answer. Does not block. */
    void complete(O outcome) {
        if (stage != null) {
            threads.execute(() -> stage.complete(outcome));
        }
    }

    /** The call was not made, or nothing is known of it. Does not block. */
    public void fail(DelayQueueException reason) {
        if (stage != null) {
            threads.execute(() -> stage.completeExceptionally(reason));
        }
    }

    /** As the result of this call's change says; an error counts more than an outcome. */
    @SuppressWarnings("unchecked") // of the type that the change answers
    public void end(ChangeResult result) {
        if (result.error() != null) {
            fail(result.error());
        } else {
            complete((O) Objects.requireNonNull(result.outcome()));
        }
    }
}
