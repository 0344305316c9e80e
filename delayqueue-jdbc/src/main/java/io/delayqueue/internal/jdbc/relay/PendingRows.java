// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.concurrent.CoalescedReads;
import io.delayqueue.internal.jdbc.outbox.DatabaseWait;
import io.delayqueue.internal.jdbc.outbox.OutboxErasure;
import io.delayqueue.internal.store.PendingChanges;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongPredicate;

/** Committed rows that are still in the outbox. */
public record PendingRows(OutboxStart outbox, OutboxErasure erasure, CoalescedReads<Long> counts)
        implements PendingChanges {

    private static final int MOST = 500;

    /** @param thread executor that counts rows outside the caller's transaction */
    public PendingRows(OutboxStart outbox, OutboxErasure erasure, Executor thread) {
        this(
                outbox,
                erasure,
                new CoalescedReads<>(() -> CompletableFuture.supplyAsync(
                        () -> outbox.table().map(table -> table.count(MOST)).orElse(0L), thread)));
    }

    @Override
    public String place() {
        return "the outbox";
    }

    @Override
    public long count() {
        return DatabaseWait.answer(counts.next(), "for the number of outbox rows");
    }

    @Override
    public void hurry() {
        outbox.relay().ifPresent(OutboxRelay::look);
    }

    @Override
    public boolean erase(String queue, String idPrefix, LongPredicate goesOn) {
        return erasure.erase(queue, idPrefix, goesOn);
    }
}
