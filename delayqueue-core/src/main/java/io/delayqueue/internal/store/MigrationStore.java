// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.withIds;

import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The steps of the migration of tasks between shards. Threads and failures as in {@link TaskStore}. */
public record MigrationStore(StoreScripts scripts) {

    private static final int FIELDS = 5;

    /**
     * Reads the tasks of the shard page by page. Returns each task that exists during the whole scan at least once.
     *
     * @param cursor {@link MigrationPage#START}, or the cursor of the previous page
     * @param count approximate number of tasks to read
     */
    public CompletableFuture<MigrationPage> scan(Shard shard, ShardingVersion sharding, String cursor, int count) {
        return scripts.run(
                        Script.MIGRATION_SCAN, shard, sharding, "scan", "tasks to migrate", bytes(cursor), bytes(count))
                .thenApply(reply -> new MigrationPage(
                        reply.text(0),
                        reply.number(1),
                        reply.list(2).rows(2).map(MigrationStore::entry).toList()));
    }

    private static MigrationPage.Entry entry(Reply row) {
        byte[] version = row.bytes(1);
        boolean newer = version.length > 0 && (version[0] & 0xff) > EnvelopeFormat.VERSION;
        return new MigrationPage.Entry(row.id(0), newer);
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
        return scripts.run(Script.MIGRATION_HOLD, shard, sharding, "hold", ids.size() + " tasks", args)
                .thenApply(reply -> new MigrationHold(
                        reply.has(0) ? reply.number(0) : 0,
                        reply.instant(1),
                        reply.count(2),
                        reply.count(3),
                        reply.list(4).rows(FIELDS).map(MigrationStore::item).toList()));
    }

    private static MigrationHold.Item item(Reply row) {
        return new MigrationHold.Item(row.id(0), row.text(1).equals("D"), row.number(2), row.bytes(3), row.bytes(4));
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
        return scripts.run(Script.MIGRATION_TAKE_IN, shard, sharding, "take in", object, args.toArray(byte[][]::new))
                .thenApply(reply -> reply.isTrue(0));
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
        return scripts.run(Script.MIGRATION_END, shard, "end the migration of", object, args)
                .thenApply(Reply::verdicts);
    }

    /**
     * Reads the run-time limits of keys, page by page.
     *
     * @param cursor {@link MigrationPage#START}, or the cursor of the previous page
     * @param count approximate number of values to read
     */
    public CompletableFuture<KeyLimitsPage> keyLimits(Shard shard, ShardingVersion sharding, String cursor, int count) {
        return scripts.run(
                        Script.KEY_LIMITS_PAGE, shard, sharding, "read", "limits of keys", bytes(cursor), bytes(count))
                .thenApply(reply -> new KeyLimitsPage(
                        reply.text(0),
                        reply.list(1)
                                .rows(2)
                                .filter(row -> row.id(0).length() > 1)
                                .map(MigrationStore::keyLimits)
                                .toList()));
    }

    private static KeyLimitsPage.Field keyLimits(Reply row) {
        String field = row.id(0);
        return new KeyLimitsPage.Field("{" + field.substring(1) + "}:", field.charAt(0) == 'C', row.text(1));
    }

    /**
     * Makes all later fencing tokens of the shard exceed those of another shard.
     *
     * @param leastToken the highest token of the other shard; 0 to read only
     * @return the last token of this shard, or {@code leastToken} if that is higher; 0 if neither has issued a token
     */
    public CompletableFuture<Long> raiseToken(Shard shard, long leastToken) {
        return scripts.run(Script.TOKEN_RAISE, shard, "raise", "fencing tokens", bytes(leastToken))
                .thenApply(reply -> reply.number(0));
    }
}
