// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.HistoryEntry;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.HistoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of the tasks of a shard. Guarded by its shard. */
final class MemoryHistory {

    private final List<Noted> entries = new ArrayList<>();
    /** Of the first of the entries. */
    private long firstNumber;
    /** As the caller under way has it. */
    private int kept;

    private record Noted(String id, HistoryEntry entry) {}

    /** @param length entries at most; 0 if the caller writes none */
    void keep(int length) {
        kept = length;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    void note(Now now, String id, String event, @Nullable String reason) {
        note(now, id, event, reason, ProcessName.OWN);
    }

    void note(Now now, String id, String event, @Nullable String reason, String process) {
        if (kept == 0) {
            return;
        }
        entries.add(new Noted(id, new HistoryEntry(Instant.ofEpochMilli(now.millis()), event, reason, process)));
        int outdated = Math.max(0, entries.size() - kept);
        entries.subList(0, outdated).clear();
        firstNumber += outdated;
    }

    HistoryStore.Page page(String cursor, int count, String id) {
        int behind = cursor.isEmpty()
                ? entries.size()
                : (int) Math.max(0, Math.min(entries.size(), Long.parseLong(cursor) - firstNumber));
        int end = Math.max(0, behind - count);
        List<HistoryEntry> found = new ArrayList<>();
        for (int i = behind - 1; i >= end; i--) {
            if (entries.get(i).id().equals(id)) {
                found.add(entries.get(i).entry());
            }
        }
        boolean more = behind - end == count;
        return new HistoryStore.Page(more ? Long.toString(firstNumber + end) : null, behind - end, found);
    }
}
