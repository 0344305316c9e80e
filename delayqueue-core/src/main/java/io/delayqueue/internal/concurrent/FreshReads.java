// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads that many ask for at the same time: one under way, and at most one that waits for it. A read that was under way
 * may have been answered before what the caller wants to see, so that whoever asks gets one that is sent later. Safe
 * for use by many threads; nothing blocks.
 *
 * @param <T> what is read
 */
public final class FreshReads<T> {

    private final Supplier<CompletableFuture<T>> read;
    private @Nullable CompletableFuture<T> underWay;
    private @Nullable CompletableFuture<T> waiting;

    /** @param read sends one; whatever it throws is its failure */
    public FreshReads(Supplier<CompletableFuture<T>> read) {
        this.read = read;
    }

    /** What a read answers that is sent after this call began; fails as it does. */
    public CompletableFuture<T> next() {
        CompletableFuture<T> mine = new CompletableFuture<>();
        synchronized (this) {
            if (underWay != null) {
                if (waiting == null) {
                    waiting = mine;
                }
                return waiting;
            }
            underWay = mine;
        }
        begin(mine);
        return mine;
    }

    private void begin(CompletableFuture<T> mine) {
        try {
            read.get().whenComplete((answer, error) -> ended(mine, answer, error));
        } catch (Throwable ex) {
            ended(mine, null, ex);
        }
    }

    private void ended(CompletableFuture<T> mine, @Nullable T answer, @Nullable Throwable error) {
        CompletableFuture<T> following;
        synchronized (this) {
            following = waiting;
            underWay = following;
            waiting = null;
        }
        if (following != null) {
            begin(following);
        }
        if (error == null) {
            mine.complete(answer);
        } else {
            mine.completeExceptionally(Causes.of(error));
        }
    }
}
