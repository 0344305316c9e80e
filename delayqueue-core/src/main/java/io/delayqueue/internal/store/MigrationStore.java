// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.withIds;

import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The steps of the migration of tasks between shards. Threads and failures as in {@link TaskStore}. */
public class MigrationStore extends StoreRole {

    private static final int FIELDS = 5;

    MigrationStore(StoreParts parts) {
        super(parts);
    }

    /**
     * Reads the tasks of the shard page by page. Returns each task that exists during the whole scan at least once.
     *
     * @param cursor {@link MigrationPage#START}, or the cursor of the previous page
     * @param count approximate number of tasks to read
     */
    public CompletableFuture<MigrationPage> scan(Shard shard, ShardingVersion sharding, String cursor, int count) {
        return this.<List<Object>>run(
                        Script.MIGRATION_SCAN, shard, sharding, "scan", "tasks to migrate", bytes(cursor), bytes(count))
                .thenApply(reply -> {
                    String next = string(reply.get(0));
                    boolean more = !next.equals(MigrationPage.START);
                    return new MigrationPage(next, more, number(reply.get(1)), entries((List<?>) reply.get(2)));
                });
    }

    private static List<MigrationPage.Entry> entries(List<?> flat) {
        List<MigrationPage.Entry> entries = new ArrayList<>(flat.size() / 2);
        for (int i = 0; i < flat.size(); i += 2) {
            String id = RedisBytes.id(flat.get(i));
            byte[] version = (byte[]) flat.get(i + 1);
            boolean newer = version.length > 0 && (version[0] & 0xff) > EnvelopeFormat.VERSION;
            entries.add(new MigrationPage.Entry(id, newer));
        }
        return entries;
    }

    /**
     * Holds tasks for a migration to another shard and reads them. Until the hold ends, no other call acquires or
     * changes them.
     *
     * @param ids 1 to {@link TaskStore#MAX_BATCH}, without duplicates
     * @param maxBytes maximum stored bytes of the tasks; the call stops after the task that exceeds it
     */
    public CompletableFuture<MigrationHold> hold(
            Shard shard, ShardingVersion sharding, List<String> ids, Duration hold, int maxBytes) {
        byte[][] args = withIds(ids, bytes(hold.toMillis()), bytes(maxBytes));
        return this.<List<Object>>run(Script.MIGRATION_HOLD, shard, sharding, "hold", ids.size() + " tasks", args)
                .thenApply(reply -> new MigrationHold(
                        string(reply.get(0)).isEmpty() ? 0 : number(reply.get(0)),
                        instant(reply.get(1)),
                        ((Long) reply.get(2)).intValue(),
                        ((Long) reply.get(3)).intValue(),
                        items((List<?>) reply.get(4))));
    }

    private static List<MigrationHold.Item> items(List<?> flat) {
        List<MigrationHold.Item> items = new ArrayList<>(flat.size() / FIELDS);
        for (int i = 0; i < flat.size(); i += FIELDS) {
            items.add(new MigrationHold.Item(
                    RedisBytes.id(flat.get(i)),
                    string(flat.get(i + 1)).equals("D"),
                    number(flat.get(i + 2)),
                    (byte[]) flat.get(i + 3),
                    (byte[]) flat.get(i + 4)));
        }
        return items;
    }

    /**
     * Adds tasks that another shard holds, without changing them. Keeps an existing task that has the same request id,
     * and replaces any other.
     *
     * @param before deadline by the clock of this shard's server, after which nothing is added
     * @param leastToken token of the holds, which all later fencing tokens of this shard exceed
     * @param tasks 1 to {@link TaskStore#MAX_BATCH}, without duplicate ids
     * @return whether the deadline was met
     */
    public CompletableFuture<Boolean> takeIn(
            Shard shard, ShardingVersion sharding, Instant before, long leastToken, List<MigrationHold.Item> tasks) {
        List<byte[]> args = new ArrayList<>(2 + FIELDS * tasks.size());
        args.add(bytes(before.toEpochMilli()));
        args.add(bytes(leastToken));
        for (MigrationHold.Item task : tasks) {
            args.add(IdEncoding.bytes(task.id()));
            args.add(bytes(task.dead() ? "D" : "I"));
            args.add(bytes(task.momentMillis()));
            args.add(task.envelope());
            args.add(task.attempts());
        }
        String object = tasks.size() + " tasks";
        return this.<Long>run(Script.MIGRATION_TAKE_IN, shard, sharding, "take in", object, args.toArray(byte[][]::new))
                .thenApply(reply -> reply == 1);
    }

    /**
     * Ends holds. Returns one value for each id, in order: {@code false} if the caller no longer has the hold and
     * nothing was changed.
     *
     * @param migrated whether the other shard has the tasks: then they are deleted here, otherwise they stay
     * @param ids 1 to {@link TaskStore#MAX_BATCH}, without duplicates
     */
    public CompletableFuture<List<Boolean>> end(Shard shard, long token, boolean migrated, List<String> ids) {
        byte[][] args = withIds(ids, bytes(token), bytes(migrated ? "MIGRATED" : "BACK"));
        String object = ids.size() + " tasks";
        return this.<List<Object>>run(Script.MIGRATION_END, shard, "end the migration of", object, args)
                .thenApply(RedisBytes::verdicts);
    }

    /**
     * Reads the run-time limits of keys, page by page.
     *
     * @param cursor {@link MigrationPage#START}, or the cursor of the previous page
     * @param count approximate number of values to read
     */
    public CompletableFuture<KeyLimitsPage> keyLimits(Shard shard, ShardingVersion sharding, String cursor, int count) {
        return this.<List<Object>>run(
                        Script.KEY_LIMITS_PAGE, shard, sharding, "read", "limits of keys", bytes(cursor), bytes(count))
                .thenApply(reply -> new KeyLimitsPage(string(reply.get(0)), keyLimits((List<?>) reply.get(1))));
    }

    private static List<KeyLimitsPage.Field> keyLimits(List<?> flat) {
        List<KeyLimitsPage.Field> fields = new ArrayList<>(flat.size() / 2);
        for (int i = 0; i < flat.size(); i += 2) {
            String field = RedisBytes.id(flat.get(i));
            if (field.length() > 1) {
                String idPrefix = "{" + field.substring(1) + "}:";
                fields.add(new KeyLimitsPage.Field(idPrefix, field.charAt(0) == 'C', string(flat.get(i + 1))));
            }
        }
        return fields;
    }

    /**
     * Makes all later fencing tokens of the shard exceed those of another shard.
     *
     * @param leastToken the highest token of the other shard; 0 to read only
     * @return the last token of this shard, or {@code leastToken} if that is higher; 0 if neither has issued a token
     */
    public CompletableFuture<Long> raiseToken(Shard shard, long leastToken) {
        return this.<byte[]>run(Script.TOKEN_RAISE, shard, "raise", "fencing tokens", bytes(leastToken))
                .thenApply(RedisBytes::number);
    }
}
