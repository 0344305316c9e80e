// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import static io.delayqueue.redis.Wire.bytes;
import static io.delayqueue.redis.Wire.instant;
import static io.delayqueue.redis.Wire.number;
import static io.delayqueue.redis.Wire.string;
import static io.delayqueue.redis.Wire.what;

import io.delayqueue.TaskState;
import io.delayqueue.store.DeadPage;
import io.delayqueue.store.DeadPageRequest;
import io.delayqueue.store.DeadTrim;
import io.delayqueue.store.LayoutStamp;
import io.delayqueue.store.RedriveRequest;
import io.delayqueue.store.Redriven;
import io.delayqueue.store.Shard;
import io.delayqueue.store.StoredTask;
import io.delayqueue.store.TrimRequest;
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

    CompletableFuture<DeadPage> page(Shard shard, DeadPageRequest request) {
        ShardKeys k = keys.of(shard);
        DeadPageRequest.Position after = request.after();
        byte[][] args = {
            bytes(after == null ? 0 : after.diedAt().toEpochMilli()),
            IdText.bytes(after == null ? "" : after.id()),
            bytes(request.limit()),
            bytes(request.maxBytes())
        };
        return scripts.<List<Object>>run(
                        Script.DEAD_PAGE,
                        ScriptOutputType.MULTI,
                        what("read", shard, "dead tasks"),
                        new byte[][] {k.tasks, k.attempts, k.dead},
                        args)
                .thenApply(reply -> new DeadPage(storedTasks((List<?>) reply.get(1)), ((Long) reply.get(0)) == 1));
    }

    private static List<StoredTask> storedTasks(List<?> flat) {
        List<StoredTask> tasks = new ArrayList<>(flat.size() / PAGE_FIELDS);
        for (int i = 0; i < flat.size(); i += PAGE_FIELDS) {
            tasks.add(new StoredTask(
                    Wire.id(flat.get(i)),
                    TaskState.DEAD,
                    instant(flat.get(i + 2)),
                    instant(flat.get(i + 1)),
                    (int) number(flat.get(i + 3)),
                    (int) number(flat.get(i + 4)),
                    Wire.reason(flat.get(i + 5)),
                    EnvelopeFormat.taskKey((byte[]) flat.get(i + 6)),
                    EnvelopeFormat.decode((byte[]) flat.get(i + 6))));
        }
        return tasks;
    }

    CompletableFuture<Redriven> redrive(Shard shard, LayoutStamp layout, RedriveRequest request, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(6 + request.ids().size());
        args.add(clockOffset);
        args.add(k.wakeChannel);
        args.add(k.shardNumber);
        args.add(bytes(request.gapMicros()));
        args.add(bytes(request.notBeforeMicros()));
        args.add(bytes(layout.text()));
        request.ids().forEach(id -> args.add(IdText.bytes(id)));
        return scripts.<List<Object>>run(
                        Script.REDRIVE,
                        ScriptOutputType.MULTI,
                        what("redrive", shard, request.ids().size() + " tasks"),
                        new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.dead, k.pace, k.transfers, k.layout},
                        args.toArray(byte[][]::new))
                .thenApply(reply -> new Redriven(
                        Wire.verdicts((List<?>) reply.get(2)),
                        string(reply.get(1)).isEmpty() ? null : instant(reply.get(1)),
                        number(reply.get(0))));
    }

    CompletableFuture<List<Boolean>> discard(Shard shard, LayoutStamp layout, List<String> ids, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(2 + ids.size());
        args.add(clockOffset);
        args.add(bytes(layout.text()));
        ids.forEach(id -> args.add(IdText.bytes(id)));
        return scripts.<List<Object>>run(
                        Script.DISCARD,
                        ScriptOutputType.MULTI,
                        what("discard", shard, ids.size() + " tasks"),
                        new byte[][] {k.tasks, k.attempts, k.dead, k.transfers, k.layout},
                        args.toArray(byte[][]::new))
                .thenApply(Wire::verdicts);
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
                        ((List<?>) reply.get(1)).stream().map(Wire::id).toList()));
    }
}
