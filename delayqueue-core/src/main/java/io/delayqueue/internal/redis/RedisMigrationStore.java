// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.what;
import static io.delayqueue.internal.redis.RedisBytes.withIds;

import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.MigrationStore;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lets tasks migrate from shard to shard. */
record RedisMigrationStore(ScriptRunner scripts, RedisKeys keys, ClockOffset clock) implements MigrationStore {

    private static final int FIELDS = 5;

    @Override
    public CompletableFuture<MigrationPage> scan(Shard shard, LayoutVersion layout, String cursor, int count) {
        return scripts.<List<Object>>run(
                        Script.MIGRATION_SCAN,
                        keys.of(shard),
                        what("scan", shard, "tasks to migrate"),
                        bytes(layout.text()),
                        bytes(cursor),
                        bytes(count))
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

    @Override
    public CompletableFuture<MigrationHold> hold(
            Shard shard, LayoutVersion layout, List<String> ids, Duration hold, int maxBytes) {
        byte[][] args = withIds(ids, clock.bytes(), bytes(layout.text()), bytes(hold.toMillis()), bytes(maxBytes));
        String what = what("hold", shard, ids.size() + " tasks");
        return scripts.<List<Object>>run(Script.MIGRATION_HOLD, keys.of(shard), what, args)
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

    @Override
    public CompletableFuture<Boolean> takeIn(
            Shard shard, LayoutVersion layout, Instant before, long leastToken, List<MigrationHold.Item> tasks) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(6 + FIELDS * tasks.size());
        args.add(clock.bytes());
        args.add(k.wakeChannel);
        args.add(k.shardNumber);
        args.add(bytes(layout.text()));
        args.add(bytes(before.toEpochMilli()));
        args.add(bytes(leastToken));
        for (MigrationHold.Item task : tasks) {
            args.add(IdEncoding.bytes(task.id()));
            args.add(bytes(task.dead() ? "D" : "I"));
            args.add(bytes(task.momentMillis()));
            args.add(task.envelope());
            args.add(task.attempts());
        }
        String what = what("take in", shard, tasks.size() + " tasks");
        return scripts.<Long>run(Script.MIGRATION_TAKE_IN, k, what, args.toArray(byte[][]::new))
                .thenApply(reply -> reply == 1);
    }

    @Override
    public CompletableFuture<List<Boolean>> end(Shard shard, long token, boolean migrated, List<String> ids) {
        ShardKeys k = keys.of(shard);
        byte[][] args = withIds(ids, k.wakeChannel, k.shardNumber, bytes(token), bytes(migrated ? "MIGRATED" : "BACK"));
        String what = what("end the migration of", shard, ids.size() + " tasks");
        return scripts.<List<Object>>run(Script.MIGRATION_END, k, what, args).thenApply(RedisBytes::verdicts);
    }

    @Override
    public CompletableFuture<Long> raiseToken(Shard shard, long leastToken) {
        String what = what("raise", shard, "fencing tokens");
        return scripts.<byte[]>run(Script.TOKEN_RAISE, keys.of(shard), what, bytes(leastToken))
                .thenApply(RedisBytes::number);
    }
}
