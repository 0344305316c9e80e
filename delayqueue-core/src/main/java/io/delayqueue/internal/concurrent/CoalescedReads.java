// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Combines concurrent reads: at most one is in progress, and at most one waits. A caller never gets the reply to a read
 * that was sent before the caller asked. Thread-safe and non-blocking.
 *
 * @param <T> the result of a read
 */
public final class CoalescedReads<T> {

    private final Supplier<CompletableFuture<T>> read;
    private @Nullable CompletableFuture<T> underWay;
    private @Nullable CompletableFuture<T> waiting;

    /** @param read sends a read; anything that it throws counts as the failure of the read */
    public CoalescedReads(Supplier<CompletableFuture<T>> read) {
        this.read = read;
    }

    /** Returns the result of a read that is sent after this call started. */
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
