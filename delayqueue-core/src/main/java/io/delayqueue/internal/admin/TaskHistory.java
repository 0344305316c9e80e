// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.HistoryEntry;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.queue.Bound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Looks for what became of a task, in the histories of all shards in which it may have been. */
final class TaskHistory {

    private static final int PAGE = 500;
    private static final int MOST_PAGES = 40;
    private static final int MOST_ENTRIES = 100;

    private final TaskStore store;
    private final BoundedWait wait;

    TaskHistory(TaskStore store, BoundedWait wait) {
        this.store = store;
        this.wait = wait;
    }

    /**
     * Shards that the queue no longer has may have histories still. They were the last ones, so these are asked one after the
     * other until one has none.
     *
     * @param shards those that the queue has, from 0 on
     * @return the newest last
     */
    List<HistoryEntry> of(String queue, int shards, String id) {
        List<HistoryEntry> found = new ArrayList<>();
        boolean hasEntries = true;
        for (int index = 0; index < shards || (hasEntries && index < Bound.SHARDS.most()); index++) {
            hasEntries = read(new Shard(queue, index), id, found);
        }
        found.sort(Comparator.comparing(HistoryEntry::at));
        return List.copyOf(found.subList(Math.max(0, found.size() - MOST_ENTRIES), found.size()));
    }

    /** Answers whether the shard has a history. */
    private boolean read(Shard shard, String id, List<HistoryEntry> found) {
        List<HistoryEntry> newestFirst = new ArrayList<>();
        boolean hasEntries = false;
        String cursor = "";
        for (int page = 0; page < MOST_PAGES && cursor != null; page++) {
            HistoryStore.Page read = wait.answer(
                    store.history().page(shard, cursor, PAGE, id), "Queue '" + shard.queue() + "', history");
            hasEntries |= read.lookedAt() > 0;
            newestFirst.addAll(read.entries());
            cursor = read.next();
        }
        // In the order in which they were written, for those of one millisecond are not sorted any further.
        for (int i = newestFirst.size() - 1; i >= 0; i--) {
            found.add(newestFirst.get(i));
        }
        return hasEntries;
    }
}
