// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.internal.store.DeadTaskStore;
import io.delayqueue.internal.store.DeadTrim;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardRedrive;
import io.delayqueue.internal.store.ShardRedriveRequest;
import io.delayqueue.internal.store.TrimRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Redrives and deletes dead tasks. */
record RedisDeadTaskStore(ScriptRunner scripts, RedisKeys keys, ClockOffset clock, HistoriesKept histories)
        implements DeadTaskStore {

    private static final byte[] WHENEVER = {};

    @Override
    public CompletableFuture<ShardRedrive> redrive(Shard shard, LayoutVersion layout, ShardRedriveRequest request) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(
                List.of(clock.bytes(), k.wakeChannel, k.shardNumber, bytes(layout.text()), histories.of(shard)));
        for (int i = 0; i < request.ids().size(); i++) {
            args.add(IdEncoding.bytes(request.ids().get(i)));
            args.add(RedisBytes.due(request.due().get(i)));
        }
        String what = what("redrive", shard, request.ids().size() + " tasks");
        return scripts.<List<Object>>run(Script.REDRIVE, k, what, args.toArray(byte[][]::new))
                .thenApply(reply -> new ShardRedrive(
                        RedisBytes.verdicts((List<?>) reply.get(1)),
                        string(reply.get(0)).isEmpty() ? null : instant(reply.get(0))));
    }

    @Override
    public CompletableFuture<List<Boolean>> discard(Shard shard, LayoutVersion layout, List<String> ids) {
        return discard(shard, layout, ids.stream().map(id -> new byte[][] {IdEncoding.bytes(id), WHENEVER}));
    }

    @Override
    public CompletableFuture<List<Boolean>> discardDeaths(Shard shard, LayoutVersion layout, List<Position> deaths) {
        return discard(shard, layout, deaths.stream().map(death ->
                new byte[][] {IdEncoding.bytes(death.id()), bytes(death.at().toEpochMilli())}));
    }

    private CompletableFuture<List<Boolean>> discard(Shard shard, LayoutVersion layout, Stream<byte[][]> tasks) {
        List<byte[]> args = new ArrayList<>(List.of(clock.bytes(), bytes(layout.text()), histories.of(shard)));
        int first = args.size();
        tasks.forEach(task -> args.addAll(List.of(task)));
        String what = what("discard", shard, (args.size() - first) / 2 + " tasks");
        return scripts.<List<Object>>run(Script.DISCARD, keys.of(shard), what, args.toArray(byte[][]::new))
                .thenApply(RedisBytes::verdicts);
    }

    @Override
    public CompletableFuture<DeadTrim> trim(Shard shard, TrimRequest request) {
        return scripts.<List<Object>>run(
                        Script.TRIM_DEAD,
                        keys.of(shard),
                        what("trim", shard, "dead tasks"),
                        clock.bytes(),
                        bytes(request.retention().toMillis()),
                        bytes(request.limit()))
                .thenApply(reply -> new DeadTrim(
                        ((Long) reply.get(0)) == 1,
                        ((List<?>) reply.get(1)).stream().map(RedisBytes::id).toList()));
    }
}
