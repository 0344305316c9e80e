// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.GroupTask;
import io.delayqueue.TaskState;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.GroupStore;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardGroupChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Reads and changes tasks by their groups. */
record RedisGroupStore(ScriptRunner scripts, RedisKeys keys, ClockOffset clock, HistoriesKept histories)
        implements GroupStore {

    private static final int PAGE_FIELDS = 4;

    @Override
    public CompletableFuture<List<GroupTask>> page(Shard shard, LayoutVersion layout, GroupPosition position) {
        return scripts.<List<Object>>run(
                        Script.GROUP_PAGE,
                        keys.of(shard),
                        what("read", shard, position.group()),
                        bytes(layout.text()),
                        IdEncoding.bytes(position.group()),
                        IdEncoding.bytes(position.from()),
                        bytes(position.limit()))
                .thenApply(RedisGroupStore::tasks);
    }

    @Override
    public CompletableFuture<Long> count(Shard shard, LayoutVersion layout, String group) {
        return scripts.run(
                Script.GROUP_COUNT,
                keys.of(shard),
                what("count", shard, group),
                bytes(layout.text()),
                IdEncoding.bytes(group));
    }

    private static List<GroupTask> tasks(List<?> flat) {
        List<GroupTask> tasks = new ArrayList<>(flat.size() / PAGE_FIELDS);
        for (int i = 0; i < flat.size(); i += PAGE_FIELDS) {
            TaskState state = switch (string(flat.get(i + 1))) {
                case "L" -> TaskState.LEASED;
                case "D" -> TaskState.DEAD;
                default -> TaskState.SCHEDULED;
            };
            tasks.add(new GroupTask(
                    RedisBytes.id(flat.get(i)), state, instant(flat.get(i + 2)), instant(flat.get(i + 3))));
        }
        return tasks;
    }

    @Override
    public CompletableFuture<ShardGroupChange> change(
            Shard shard, LayoutVersion layout, GroupPosition position, GroupChange change) {
        ShardKeys k = keys.of(shard);
        String what = what("change", shard, position.group());
        return scripts.<List<Object>>run(Script.GROUP_CHANGE, k, what, args(shard, k, layout, position, change))
                .thenApply(RedisGroupStore::changed);
    }

    @Override
    public CompletableFuture<Replicated<ShardGroupChange>> change(
            Shard shard, LayoutVersion layout, GroupPosition position, GroupChange change, int replicas) {
        ShardKeys k = keys.of(shard);
        String what = what("change", shard, position.group());
        return scripts.<List<Object>>run(
                        replicas, Script.GROUP_CHANGE, k, what, args(shard, k, layout, position, change))
                .thenApply(reply -> reply.map(RedisGroupStore::changed));
    }

    private byte[][] args(Shard shard, ShardKeys k, LayoutVersion layout, GroupPosition position, GroupChange change) {
        byte[] value = switch (change.verb()) {
            case CANCEL -> new byte[0];
            case DUE -> RedisBytes.due(Objects.requireNonNull(change.due()));
            case SHIFT -> bytes(change.shift().toMillis());
        };
        return new byte[][] {
            clock.bytes(),
            k.wakeChannel,
            k.shardNumber,
            bytes(layout.text()),
            IdEncoding.bytes(position.group()),
            IdEncoding.bytes(position.from()),
            bytes(position.limit()),
            bytes(change.verb().name()),
            value,
            bytes(change.step()),
            histories.of(shard)
        };
    }

    private static ShardGroupChange changed(List<Object> reply) {
        List<String> begun =
                ((List<?>) reply.get(2)).stream().map(RedisBytes::id).toList();
        return new ShardGroupChange(RedisBytes.id(reply.get(0)), (Long) reply.get(1), begun);
    }
}
