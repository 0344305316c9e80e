// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.TaskState;
import io.delayqueue.internal.store.DeadTrim;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardDeadPage;
import io.delayqueue.internal.store.ShardDeadPageRequest;
import io.delayqueue.internal.store.ShardRedrive;
import io.delayqueue.internal.store.ShardRedriveRequest;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TrimRequest;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The calls that read, revive and delete dead tasks. */
final class DeadTaskCalls {

    private static final int PAGE_FIELDS = 7;

    private final ScriptRunner scripts;
    private final RedisKeys keys;

    DeadTaskCalls(ScriptRunner scripts, RedisKeys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    CompletableFuture<ShardDeadPage> page(Shard shard, ShardDeadPageRequest request) {
        ShardKeys k = keys.of(shard);
        ShardDeadPageRequest.Position after = request.after();
        byte[][] args = {
            bytes(after == null ? 0 : after.diedAt().toEpochMilli()),
            IdEncoding.bytes(after == null ? "" : after.id()),
            bytes(request.limit()),
            bytes(request.maxBytes())
        };
        return scripts.<List<Object>>run(
                        Script.DEAD_PAGE,
                        ScriptOutputType.MULTI,
                        what("read", shard, "dead tasks"),
                        new byte[][] {k.tasks, k.attempts, k.dead},
                        args)
                .thenApply(reply -> new ShardDeadPage(storedTasks((List<?>) reply.get(1)), ((Long) reply.get(0)) == 1));
    }

    private static List<StoredTask> storedTasks(List<?> flat) {
        List<StoredTask> tasks = new ArrayList<>(flat.size() / PAGE_FIELDS);
        for (int i = 0; i < flat.size(); i += PAGE_FIELDS) {
            tasks.add(new StoredTask(
                    RedisBytes.id(flat.get(i)),
                    TaskState.DEAD,
                    instant(flat.get(i + 2)),
                    instant(flat.get(i + 1)),
                    (int) number(flat.get(i + 3)),
                    (int) number(flat.get(i + 4)),
                    RedisBytes.reason(flat.get(i + 5)),
                    EnvelopeFormat.taskKey((byte[]) flat.get(i + 6)),
                    EnvelopeFormat.decode((byte[]) flat.get(i + 6))));
        }
        return tasks;
    }

    CompletableFuture<ShardRedrive> redrive(Shard shard, LayoutVersion layout, ShardRedriveRequest request, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(6 + request.ids().size());
        args.add(clockOffset);
        args.add(k.wakeChannel);
        args.add(k.shardNumber);
        args.add(bytes(request.gapMicros()));
        args.add(bytes(request.notBeforeMicros()));
        args.add(bytes(layout.text()));
        request.ids().forEach(id -> args.add(IdEncoding.bytes(id)));
        return scripts.<List<Object>>run(
                        Script.REDRIVE,
                        ScriptOutputType.MULTI,
                        what("redrive", shard, request.ids().size() + " tasks"),
                        new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.dead, k.pace, k.transfers, k.layout},
                        args.toArray(byte[][]::new))
                .thenApply(reply -> new ShardRedrive(
                        RedisBytes.verdicts((List<?>) reply.get(2)),
                        string(reply.get(1)).isEmpty() ? null : instant(reply.get(1)),
                        number(reply.get(0))));
    }

    CompletableFuture<List<Boolean>> discard(Shard shard, LayoutVersion layout, List<String> ids, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(2 + ids.size());
        args.add(clockOffset);
        args.add(bytes(layout.text()));
        ids.forEach(id -> args.add(IdEncoding.bytes(id)));
        return scripts.<List<Object>>run(
                        Script.DISCARD,
                        ScriptOutputType.MULTI,
                        what("discard", shard, ids.size() + " tasks"),
                        new byte[][] {k.tasks, k.leases, k.attempts, k.dead, k.transfers, k.layout},
                        args.toArray(byte[][]::new))
                .thenApply(RedisBytes::verdicts);
    }

    CompletableFuture<DeadTrim> trim(Shard shard, TrimRequest request, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        byte[][] args = {clockOffset, bytes(request.retention().toMillis()), bytes(request.limit())};
        return scripts.<List<Object>>run(
                        Script.TRIM_DEAD,
                        ScriptOutputType.MULTI,
                        what("trim", shard, "dead tasks"),
                        new byte[][] {k.tasks, k.attempts, k.dead, k.transfers},
                        args)
                .thenApply(reply -> new DeadTrim(
                        ((Long) reply.get(0)) == 1,
                        ((List<?>) reply.get(1)).stream().map(RedisBytes::id).toList()));
    }
}
