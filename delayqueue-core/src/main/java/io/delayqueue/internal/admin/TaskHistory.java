// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.HistoryEntry;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.Shard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the history of a task from its shard, then from other shards that may have held it when the queue had another
 * number of shards. The total number of calls is limited.
 */
record TaskHistory(HistoryStore store, BoundedWait waiting) {

    static final int MOST_CALLS = 64;

    private static final int PAGE = 500;
    private static final int MOST_CALLS_AT_HOME = 40;
    private static final int MOST_ENTRIES = 100;

    /**
     * Returns the history of a task. Removed shards may still have histories. They have the highest numbers, so this
     * method reads them in order and stops at the first one without a history.
     *
     * @param home the present shard of the id
     * @param shards number of shards of the queue
     * @param isKept whether the queue keeps a history now; if it does not and {@code home} has no history, no other
     *     shard is read
     * @return the entries, newest last
     */
    List<HistoryEntry> of(Shard home, int shards, boolean isKept, String id) {
        Look look = new Look(id);
        Reading atHome = new Reading(home);
        do {
            look.readMore(atHome);
        } while (!atHome.isAtEnd() && look.calls < MOST_CALLS_AT_HOME);
        if (!isKept && !atHome.hasEntries) {
            return List.of();
        }
        List<Reading> all = new ArrayList<>(List.of(atHome));
        boolean hasEntries = true;
        for (int index = 0; index < shards || (hasEntries && index < Bound.SHARDS.most()); index++) {
            Reading reading = index == home.index() ? atHome : new Reading(new Shard(home.queue(), index));
            if (reading != atHome) {
                look.readMore(reading);
                all.add(reading);
            }
            hasEntries = reading.hasEntries;
        }
        List<Reading> others = all.subList(1, all.size());
        while (look.calls < MOST_CALLS && others.stream().anyMatch(reading -> !reading.isAtEnd())) {
            others.stream().filter(reading -> !reading.isAtEnd()).forEach(look::readMore);
        }
        return newest(all);
    }

    private static List<HistoryEntry> newest(List<Reading> all) {
        List<HistoryEntry> found = new ArrayList<>();
        for (Reading reading : all) {
            // Keep the order of writing: entries of the same millisecond have no other order.
            for (int i = reading.newestFirst.size() - 1; i >= 0; i--) {
                found.add(reading.newestFirst.get(i));
            }
        }
        found.sort(Comparator.comparing(HistoryEntry::at));
        return List.copyOf(found.subList(Math.max(0, found.size() - MOST_ENTRIES), found.size()));
    }

    /** The position in the history of a shard. */
    private static final class Reading {

        private final Shard shard;
        private final List<HistoryEntry> newestFirst = new ArrayList<>();
        private @Nullable String cursor = "";
        private boolean hasEntries;

        Reading(Shard shard) {
            this.shard = shard;
        }

        boolean isAtEnd() {
            return cursor == null;
        }
    }

    private final class Look {

        private final String id;
        private int calls;

        Look(String id) {
            this.id = id;
        }

        /** Reads the next page, unless no calls are left. */
        void readMore(Reading reading) {
            String cursor = reading.cursor;
            if (cursor == null || calls == MOST_CALLS) {
                return;
            }
            calls++;
            HistoryStore.Page page = waiting.answer(
                    store.page(reading.shard, cursor, PAGE, id), "Queue '" + reading.shard.queue() + "', history");
            reading.hasEntries |= page.lookedAt() > 0;
            reading.newestFirst.addAll(page.entries());
            reading.cursor = page.next();
        }
    }
}
