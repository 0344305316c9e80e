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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Deletes what the library has recorded about the tasks whose ids have a prefix. */
final class Erasure {

    private static final int PAGE = 500;
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

    /** Deletes rows of the outbox, but not for a dry run. Returns their number; empty if this process has no outbox. */
    OptionalLong outbox(BulkRequest request) {
        String prefix = request.filter().idPrefix();
        return outboxes.get().stream()
                .mapToLong(outbox -> request.dryRun() ? 0 : outbox.erase(request.queue(), id -> id.startsWith(prefix)))
                .reduce(Long::sum);
    }

    /**
     * Deletes history entries. Visits all possible shards, because shards that a reshard removed keep their entries.
     *
     * @param goesOn receives numbers of deleted entries, and returns whether to continue
     * @return whether all entries are deleted
     */
    boolean history(BulkRequest request, LongPredicate goesOn) {
        for (int first = 0; first < Bound.SHARDS.most(); first += SHARDS_AT_A_TIME) {
            Map<Shard, String> cursors = new HashMap<>();
            for (int index = first; index < first + SHARDS_AT_A_TIME; index++) {
                cursors.put(new Shard(request.queue(), index), "");
            }
            while (!cursors.isEmpty()) {
                long begin = System.nanoTime();
                if (!history(request, cursors, goesOn)) {
                    return false;
                }
                Scans.rest(begin);
            }
        }
        return true;
    }

    /** Deletes the next entries of some shards at once, and replaces the cursors. */
    private boolean history(BulkRequest request, Map<Shard, String> cursors, LongPredicate goesOn) {
        Map<Shard, CompletableFuture<HistoryStore.Erased>> pages = new HashMap<>();
        cursors.forEach((shard, cursor) -> pages.put(
                shard, histories.erase(shard, cursor, PAGE, request.filter().idPrefix())));
        cursors.clear();
        long deleted = 0;
        DelayQueueException failure = null;
        for (Map.Entry<Shard, CompletableFuture<HistoryStore.Erased>> each : pages.entrySet()) {
            try {
                HistoryStore.Erased page = wait.answer(each.getValue(), "Queue '" + request.queue() + "', history");
                deleted += page.deleted();
                if (page.next() != null) {
                    cursors.put(each.getKey(), page.next());
                }
            } catch (DelayQueueException ex) {
                failure = ex;
            }
        }
        boolean continues = goesOn.test(deleted);
        if (failure != null) {
            throw failure;
        }
        return continues;
    }
}
