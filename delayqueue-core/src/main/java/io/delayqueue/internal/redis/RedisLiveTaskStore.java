// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.TaskState;
import io.delayqueue.internal.store.DueCountsRequest;
import io.delayqueue.internal.store.LivePosition;
import io.delayqueue.internal.store.LiveTaskStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardDueKinds;
import io.delayqueue.internal.store.ShardLivePage;
import io.delayqueue.internal.store.ShardLivePageRequest;
import io.delayqueue.internal.store.StoredTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads live tasks, and acts on those that wait, in the order of their moments. */
record RedisLiveTaskStore(ScriptRunner scripts, RedisKeys keys, ClockOffset clock, HistoriesKept histories)
        implements LiveTaskStore {

    private static final int PAGE_FIELDS = 7;
    private static final int KINDS_RECORDS = 1_000;

    @Override
    public CompletableFuture<ShardLivePage> page(Shard shard, ShardLivePageRequest request) {
        return scripts.<List<Object>>run(
                        Script.LIVE_PAGE,
                        keys.of(shard),
                        what("read", shard, "live tasks"),
                        bytes(request.after().at().toEpochMilli()),
                        IdEncoding.bytes(request.after().id()),
                        bytes(request.before().toEpochMilli()),
                        IdEncoding.bytes(request.idPrefix()),
                        bytes(request.limit()),
                        bytes(request.looks()))
                .thenApply(reply -> new ShardLivePage(
                        storedTasks((List<?>) reply.get(3)), position(reply), ((Long) reply.get(0)) == 1));
    }

    private static List<StoredTask> storedTasks(List<?> flat) {
        List<StoredTask> tasks = new ArrayList<>(flat.size() / PAGE_FIELDS);
        for (int i = 0; i < flat.size(); i += PAGE_FIELDS) {
            tasks.add(new StoredTask(
                    RedisBytes.id(flat.get(i)),
                    string(flat.get(i + 1)).equals("L") ? TaskState.LEASED : TaskState.SCHEDULED,
                    instant(flat.get(i + 2)),
                    instant(flat.get(i + 3)),
                    (int) number(flat.get(i + 4)),
                    (int) number(flat.get(i + 5)),
                    RedisBytes.reason(flat.get(i + 6)),
                    "",
                    null));
        }
        return tasks;
    }

    private static @Nullable LivePosition position(List<Object> reply) {
        return string(reply.get(1)).isEmpty()
                ? null
                : new LivePosition(instant(reply.get(1)), RedisBytes.id(reply.get(2)));
    }

    @Override
    public CompletableFuture<List<Long>> dueCounts(Shard shard, DueCountsRequest request) {
        return scripts.<List<Object>>run(
                        Script.DUE_COUNTS,
                        keys.of(shard),
                        what("count", shard, "live tasks"),
                        bytes(request.from().toEpochMilli()),
                        bytes(request.width().toMillis()),
                        bytes(request.slices()))
                .thenApply(reply -> reply.stream().map(count -> (Long) count).toList());
    }

    @Override
    public CompletableFuture<ShardDueKinds> dueKinds(Shard shard, DueCountsRequest request, String cursor) {
        return scripts.<List<Object>>run(
                        Script.DUE_KINDS,
                        keys.of(shard),
                        what("count", shard, "live tasks"),
                        bytes(request.from().toEpochMilli()),
                        bytes(request.width().toMillis()),
                        bytes(request.slices()),
                        bytes(cursor),
                        bytes(KINDS_RECORDS))
                .thenApply(reply -> new ShardDueKinds(
                        string(reply.get(0)),
                        ((Long) reply.get(1)) == 1,
                        counts(reply, 2, request.slices()),
                        counts(reply, 2 + request.slices(), request.slices())));
    }

    private static List<Long> counts(List<Object> reply, int from, int size) {
        return reply.subList(from, from + size).stream()
                .map(count -> (Long) count)
                .toList();
    }
}
