// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.string;

import io.delayqueue.HistoryEntry;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and erases the histories of tasks. Threads and failures as in {@link TaskStore}. */
public class HistoryStore extends StoreRole {

    private static final int FIELDS = 4;
    private static final int LONGEST_NAME = 100;
    private static final String UNREADABLE = "unreadable";
    private static final Pattern MOMENT = Pattern.compile("\\d{1,15}");

    HistoryStore(StoreParts parts) {
        super(parts);
    }

    /**
     * Reads the history of a task, newest first, by reading entries of its shard.
     *
     * @param cursor {@code next} of the previous page; empty to start
     * @param count maximum number of entries to read, at least 1
     */
    public CompletableFuture<Page> page(Shard shard, String cursor, int count, String id) {
        return this.<List<Object>>run(
                        Script.HISTORY_PAGE, shard, "history", id, bytes(cursor), bytes(count), IdEncoding.bytes(id))
                .thenApply(reply -> {
                    String next = string(reply.get(0));
                    int lookedAt = ((Long) reply.get(1)).intValue();
                    Instant since = string(reply.get(3)).isEmpty() ? null : RedisBytes.instant(reply.get(3));
                    return new Page(next.isEmpty() ? null : next, lookedAt, entries((List<?>) reply.get(2)), since);
                });
    }

    /**
     * Deletes entries of a shard's history, from the newest backwards.
     *
     * @param cursor {@code next} of the previous call; empty to start
     * @param count maximum number of entries to read, 1 to 500
     * @param prefix prefix of the ids
     */
    public CompletableFuture<Erased> erase(Shard shard, String cursor, int count, String prefix) {
        return this.<List<Object>>run(
                        Script.HISTORY_ERASE,
                        shard,
                        "erase",
                        "history",
                        bytes(cursor),
                        bytes(count),
                        IdEncoding.bytes(prefix))
                .thenApply(reply -> {
                    String next = string(reply.get(0));
                    return new Erased(next.isEmpty() ? null : next, (Long) reply.get(1));
                });
    }

    private static List<HistoryEntry> entries(List<?> flat) {
        List<HistoryEntry> entries = new ArrayList<>(flat.size() / FIELDS);
        for (int i = 0; i < flat.size(); i += FIELDS) {
            entries.add(entry(flat.subList(i, i + FIELDS)));
        }
        return entries;
    }

    private static HistoryEntry entry(List<?> fields) {
        Instant at;
        try {
            at = RedisBytes.instant(fields.get(0));
        } catch (NumberFormatException ex) {
            String raw = PrintableText.of(string(fields.get(0)), LONGEST_NAME);
            return new HistoryEntry(Instant.EPOCH, UNREADABLE, "The entry of " + raw + " has no time", null);
        }
        String event = string(fields.get(1));
        return new HistoryEntry(
                at,
                PrintableText.of(event, LONGEST_NAME),
                reason(event, RedisBytes.reason(fields.get(2))),
                process(string(fields.get(3))));
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
