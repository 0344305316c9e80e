// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.HistoryEntry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What became of tasks, where their queue keeps a history. Threads and failures as in {@link TaskStore}. */
public interface HistoryStore {

    /**
     * Reads what became of a task, going back from the newest entry of a shard.
     *
     * @param cursor what the page before has given as its next; empty to begin
     * @param count entries to look at at most, at least 1
     */
    CompletableFuture<Page> page(Shard shard, String cursor, int count, String id);

    /**
     * A part of the history of a shard.
     *
     * @param next where to go on; null at the end
     * @param lookedAt how many entries of any task were looked at
     * @param entries those of the task, the newest first
     */
    record Page(@Nullable String next, int lookedAt, List<HistoryEntry> entries) {}
}
