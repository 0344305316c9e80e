// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Deletes what the library has recorded about the tasks whose ids have a prefix. */
final class Erasure {

    private static final int PAGE = 500;

    /** Most queues have few shards, so most of these calls find nothing. */
    private static final int SHARDS_AT_A_TIME = 32;

    private final HistoryStore histories;
    private final BoundedWait wait;
    private final Supplier<List<PendingChanges>> outboxes;

    Erasure(TaskStore store, Supplier<List<PendingChanges>> outboxes) {
        this.histories = store.history();
        this.wait = new BoundedWait(store.callTimeout());
        this.outboxes = outboxes;
    }

    /**
     * Describes the places that may still name the tasks after an erasure.
     *
     * @param outboxReached whether the erasure could delete rows of an outbox
     */
    static List<String> remains(boolean outboxReached) {
        List<String> remains = new ArrayList<>(List.of(
                "ids in the audit: the filter, and changes of single tasks",
                "this operation and others with such a filter, for a day in Redis",
                "limits of the key that were set at run time",
                "the key while the shard has tasks: its state for limits, and ids of its tasks that were held back, until "
                        + "the key's turn",
                "ids in the steps of a shift of the group, until later shifts in the same shard delete them",
                "deleted history entries: Redis keeps their bytes until it has deleted or trimmed all entries of the "
                        + "same node of the stream",
                "messages that were published to the broker",
                "backups and replicas of Redis and of the database, AOF and RDB files",
                "logs of the applications"));
        if (!outboxReached) {
            remains.add("rows of an outbox that this process cannot reach");
        }
        return remains;
    }

    /**
     * Deletes rows of the outbox, but not for a dry run.
     *
     * @param goesOn receives numbers of deleted rows, and returns whether to continue; not called if this process has
     *     no outbox
     * @return whether all rows are deleted
     */
    boolean outbox(BulkRequest request, LongPredicate goesOn) {
        for (PendingChanges outbox : outboxes.get()) {
            boolean all = request.dryRun()
                    || outbox.erase(request.queue(), request.filter().idPrefix(), goesOn);
            if (!all || !goesOn.test(0)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Deletes history entries. Visits all possible shards, because shards that a reshard removed keep their entries,
     * and Redis does not record how many shards a queue has had.
     *
     * @param goesOn receives numbers of deleted entries, and returns whether to continue
     * @return whether all entries are deleted
     */
    boolean history(BulkRequest request, LongPredicate goesOn) {
        for (int first = 0; first < Bound.SHARDS.most(); first += SHARDS_AT_A_TIME) {
            long began = System.nanoTime();
            List<CompletableFuture<HistoryStore.Erased>> firstPages = new ArrayList<>();
            for (int index = first; index < first + SHARDS_AT_A_TIME; index++) {
                firstPages.add(erase(request, index, ""));
            }
            List<@Nullable String> cursors = new ArrayList<>();
            long deleted = 0;
            DelayQueueException failure = null;
            for (CompletableFuture<HistoryStore.Erased> page : firstPages) {
                try {
                    HistoryStore.Erased erased = answer(request, page);
                    deleted += erased.deleted();
                    cursors.add(erased.next());
                } catch (DelayQueueException ex) {
                    failure = ex;
                }
            }
            boolean goesOnNow = goesOn.test(deleted);
            if (failure != null) {
                throw failure;
            }
            if (!goesOnNow) {
                return false;
            }
            Scans.rest(began);
            for (int i = 0; i < SHARDS_AT_A_TIME; i++) {
                String cursor = cursors.get(i);
                while (cursor != null) {
                    long begin = System.nanoTime();
                    HistoryStore.Erased page = answer(request, erase(request, first + i, cursor));
                    if (!goesOn.test(page.deleted())) {
                        return false;
                    }
                    cursor = page.next();
                    Scans.rest(begin);
                }
            }
        }
        return true;
    }

    private CompletableFuture<HistoryStore.Erased> erase(BulkRequest request, int shard, String cursor) {
        return histories.erase(
                new Shard(request.queue(), shard),
                cursor,
                PAGE,
                request.filter().idPrefix());
    }

    private HistoryStore.Erased answer(BulkRequest request, CompletableFuture<HistoryStore.Erased> page) {
        return wait.answer(page, "Queue '" + request.queue() + "', history");
    }
}
