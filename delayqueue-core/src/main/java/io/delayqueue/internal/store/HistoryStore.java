// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.HistoryEntry;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and erases the histories of tasks. Threads and failures as in {@link TaskStore}. */
public record HistoryStore(StoreScripts scripts) {

    private static final int FIELDS = 4;
    private static final int LONGEST_NAME = 100;
    private static final String UNREADABLE = "unreadable";
    private static final Pattern MOMENT = Pattern.compile("\\d{1,15}");

    /**
     * Reads the history of a task, newest first, by reading entries of its shard.
     *
     * @param cursor {@code next} of the previous page; empty to start
     * @param count maximum number of entries to read, at least 1
     */
    public CompletableFuture<Page> page(Shard shard, String cursor, int count, String id) {
        return scripts.run(Script.HISTORY_PAGE, shard, "history", id, bytes(cursor), bytes(count), IdEncoding.bytes(id))
                .thenApply(reply -> new Page(
                        reply.has(0) ? reply.text(0) : null,
                        reply.count(1),
                        reply.list(2).rows(FIELDS).map(HistoryStore::entry).toList(),
                        reply.time(3)));
    }

    /**
     * Deletes entries of a shard's history, from the newest backwards.
     *
     * @param cursor {@code next} of the previous call; empty to start
     * @param count maximum number of entries to read, 1 to 500
     * @param prefix prefix of the ids
     */
    public CompletableFuture<Erased> erase(Shard shard, String cursor, int count, String prefix) {
        return scripts.run(
                        Script.HISTORY_ERASE,
                        shard,
                        "erase",
                        "history",
                        bytes(cursor),
                        bytes(count),
                        IdEncoding.bytes(prefix))
                .thenApply(reply -> new Erased(reply.has(0) ? reply.text(0) : null, reply.number(1)));
    }

    private static HistoryEntry entry(Reply row) {
        Instant at;
        try {
            at = row.instant(0);
        } catch (NumberFormatException ex) {
            String raw = PrintableText.of(row.text(0), LONGEST_NAME);
            return new HistoryEntry(Instant.EPOCH, UNREADABLE, "The entry of " + raw + " has no time", null);
        }
        String event = row.text(1);
        return new HistoryEntry(
                at,
                PrintableText.of(event, LONGEST_NAME),
                reason(event, RedisBytes.reason(row.text(2))),
                process(row.text(3)));
    }

    /** Returns the reason to show. For a reschedule, the stored reason is the new due time in milliseconds. */
    private static @Nullable String reason(String event, @Nullable String reason) {
        return event.equals("rescheduled")
                        && reason != null
                        && MOMENT.matcher(reason).matches()
                ? "to " + Instant.ofEpochMilli(Long.parseLong(reason))
                : reason;
    }

    private static @Nullable String process(String name) {
        return name.isEmpty() ? null : PrintableText.of(name, LONGEST_NAME);
    }

    /**
     * The result of deleting entries from a part of a shard's history.
     *
     * @param next the place to continue; null at the end
     * @param deleted number of entries deleted
     */
    public record Erased(@Nullable String next, long deleted) {}

    /**
     * The entries of one task in a part of a shard's history.
     *
     * @param next the place to continue; null at the end
     * @param lookedAt number of entries read, including those of other tasks
     * @param entries entries of the task, newest first
     * @param since time of the shard's oldest entry, of any task; null if there is none
     */
    public record Page(
            @Nullable String next,
            int lookedAt,
            List<HistoryEntry> entries,
            @Nullable Instant since) {}
}
