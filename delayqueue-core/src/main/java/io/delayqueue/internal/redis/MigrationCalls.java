// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.Shard;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** The calls that let tasks migrate from shard to shard. */
final class MigrationCalls {

    private static final int FIELDS = 5;

    private final ScriptRunner scripts;
    private final RedisKeys keys;

    MigrationCalls(ScriptRunner scripts, RedisKeys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    CompletableFuture<MigrationPage> scan(Shard shard, LayoutVersion layout, String cursor, int count) {
        ShardKeys k = keys.of(shard);
        return scripts.<List<Object>>run(
                        Script.MIGRATION_SCAN,
                        ScriptOutputType.MULTI,
                        what("scan", shard, "tasks to migrate"),
                        new byte[][] {k.tasks, k.leases, k.layout},
                        new byte[][] {bytes(layout.text()), bytes(cursor), bytes(count)})
                .thenApply(reply -> {
                    String next = string(reply.get(0));
                    return new MigrationPage(
                            next, !next.equals(MigrationPage.START), number(reply.get(1)), entries((List<?>)
                                    reply.get(2)));
                });
    }

    private static List<MigrationPage.Entry> entries(List<?> flat) {
        List<MigrationPage.Entry> entries = new ArrayList<>(flat.size() / 2);
        for (int i = 0; i < flat.size(); i += 2) {
            String id = RedisBytes.id(flat.get(i));
            byte[] head = (byte[]) flat.get(i + 1);
            boolean newer = head.length > 0 && (head[0] & 0xff) > EnvelopeFormat.VERSION;
            entries.add(new MigrationPage.Entry(
                    id, Objects.requireNonNullElse(EnvelopeFormat.routingKey(head), id), newer));
        }
        return entries;
    }

    CompletableFuture<MigrationHold> hold(
            Shard shard, LayoutVersion layout, List<String> ids, Duration hold, int maxBytes, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(4 + ids.size());
        args.add(clockOffset);
        args.add(bytes(layout.text()));
        args.add(bytes(hold.toMillis()));
        args.add(bytes(maxBytes));
        ids.forEach(id -> args.add(IdEncoding.bytes(id)));
        return scripts.<List<Object>>run(
                        Script.MIGRATION_HOLD,
                        ScriptOutputType.MULTI,
                        what("hold", shard, ids.size() + " tasks"),
                        new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.dead, k.token, k.transfers, k.layout},
                        args.toArray(byte[][]::new))
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

    CompletableFuture<Boolean> takeIn(
            Shard shard,
            LayoutVersion layout,
            Instant before,
            long leastToken,
            List<MigrationHold.Item> tasks,
            byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(6 + FIELDS * tasks.size());
        args.add(clockOffset);
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
        return scripts.<Long>run(
                        Script.MIGRATION_TAKE_IN,
                        ScriptOutputType.INTEGER,
                        what("take in", shard, tasks.size() + " tasks"),
                        new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.dead, k.transfers, k.layout, k.token},
                        args.toArray(byte[][]::new))
                .thenApply(reply -> reply == 1);
    }

    CompletableFuture<List<Boolean>> end(Shard shard, long token, boolean migrated, List<String> ids) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(4 + ids.size());
        args.add(k.wakeChannel);
        args.add(k.shardNumber);
        args.add(bytes(token));
        args.add(bytes(migrated ? "MIGRATED" : "BACK"));
        ids.forEach(id -> args.add(IdEncoding.bytes(id)));
        return scripts.<List<Object>>run(
                        Script.MIGRATION_END,
                        ScriptOutputType.MULTI,
                        what("end the migration of", shard, ids.size() + " tasks"),
                        new byte[][] {k.index, k.tasks, k.attempts, k.dead, k.transfers},
                        args.toArray(byte[][]::new))
                .thenApply(RedisBytes::verdicts);
    }

    CompletableFuture<Long> raiseToken(Shard shard, long leastToken) {
        ShardKeys k = keys.of(shard);
        return scripts.<byte[]>run(
                        Script.TOKEN_RAISE,
                        ScriptOutputType.VALUE,
                        what("raise", shard, "fencing tokens"),
                        new byte[][] {k.leases, k.token},
                        new byte[][] {bytes(leastToken)})
                .thenApply(RedisBytes::number);
    }
}
