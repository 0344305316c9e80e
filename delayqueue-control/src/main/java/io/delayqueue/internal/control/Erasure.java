// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what the library has recorded about erased tasks. It selects records by an id prefix if the filter has no
 * other condition, and otherwise by the ids of the tasks that were found.
 */
final class Erasure {

    private static final int PAGE = 500;

    private final DelayQueueAdmin admin;
    private final HistoryStore histories;
    private final SharedOperations operations;
    private final BoundedWait wait;
    private final Supplier<List<PendingChanges>> outboxes;

    Erasure(
            DelayQueueAdmin admin,
            TaskStore store,
            SharedOperations operations,
            Supplier<List<PendingChanges>> outboxes) {
        this.admin = admin;
        this.histories = store.history();
        this.operations = operations;
        this.wait = new BoundedWait(store.callTimeout());
        this.outboxes = outboxes;
    }

    /** Returns descriptions of places in which the tasks may still be named after an erasure. */
    static List<String> remains(BulkRequest request) {
        List<String> remains = new ArrayList<>(List.of(
                "ids in the audit: the filter, and changes of single tasks",
                "this operation with its filter, for a day in Redis",
                "limits of the key that were set at run time",
                "messages that were published to the broker",
                "backups and replicas of Redis and of the database, AOF and RDB files",
                "logs of the applications"));
        if (!request.selectsByPrefix()) {
            remains.add("history of earlier tasks, and calls in the outbox that tasks of a group share: "
                    + "erase by key, group or id prefix to delete these");
        }
        return remains;
    }

    /**
     * Deletes rows of the outbox and returns their number.
     *
     * @param ids ids of the tasks; null to select by the prefix
     */
    long outbox(BulkRequest request, @Nullable List<String> ids) {
        String prefix = request.filter().idPrefix();
        Predicate<String> erased = ids == null ? id -> id.startsWith(prefix) : Set.copyOf(ids)::contains;
        return outboxes.get().stream()
                .mapToLong(outbox -> outbox.erase(request.queue(), erased))
                .sum();
    }

    /**
     * Deletes history entries. Removed shards may still have histories. They have the highest numbers, so this visits
     * them in order and stops at the first one without a history.
     *
     * @param ids ids of the tasks, at most 500; null to select by the prefix
     * @param deleted receives the number of deleted entries of each call
     */
    void history(BulkRequest request, @Nullable List<String> ids, LongConsumer deleted) {
        String queue = request.queue();
        List<String> texts = ids == null ? List.of(request.filter().idPrefix()) : ids;
        int shards = admin.sharding(queue).shards();
        boolean hasEntries = true;
        for (int index = 0; index < shards || (hasEntries && index < Bound.SHARDS.most()); index++) {
            Shard shard = new Shard(queue, index);
            hasEntries = false;
            String cursor = "";
            while (cursor != null) {
                long begin = System.nanoTime();
                HistoryStore.Erased page = wait.answer(
                        histories.erase(shard, cursor, PAGE, ids == null, texts), "Queue '" + queue + "', history");
                hasEntries |= page.lookedAt() > 0;
                cursor = page.next();
                deleted.accept(page.deleted());
                Scans.rest(begin);
            }
        }
    }

    /** Deletes the records of other operations that name the same tasks, except running ones. Returns their number. */
    long operations(OperationRecord own) {
        return operations.all().stream()
                .filter(other -> !other.handle().equals(own.handle()))
                .filter(other -> namesSame(other.request(), own.request()))
                .filter(other -> operations.forget(other.handle()))
                .count();
    }

    private static boolean namesSame(BulkRequest other, BulkRequest own) {
        TaskFilter filter = own.filter();
        boolean isWithin = own.selectsByPrefix() && other.filter().idPrefix().startsWith(filter.idPrefix());
        return other.queue().equals(own.queue()) && (isWithin || other.filter().equals(filter));
    }
}
