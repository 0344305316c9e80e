// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.unexpected;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.internal.store.Shard;
import io.lettuce.core.ScriptOutputType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The calls that store tasks. */
final class NewTaskCalls {

    private static final byte[][] POLICIES =
            Arrays.stream(ConflictPolicy.values()).map(p -> bytes(p.name())).toArray(byte[][]::new);

    private final ScriptRunner scripts;
    private final ReplicatedScripts replicated;
    private final RedisKeys keys;

    NewTaskCalls(ScriptRunner scripts, ReplicatedScripts replicated, RedisKeys keys) {
        this.scripts = scripts;
        this.replicated = replicated;
        this.keys = keys;
    }

    CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard,
            LayoutVersion layout,
            boolean onlyStored,
            long leastToken,
            SendPermit permit,
            List<NewTask> tasks,
            byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        int replicas = 0;
        List<byte[]> args = new ArrayList<>(6 + 4 * tasks.size());
        args.add(clockOffset);
        args.add(k.wakeChannel);
        args.add(k.shardNumber);
        args.add(bytes(layout.text()));
        args.add(bytes(onlyStored ? "stored" : "any"));
        args.add(bytes(leastToken));
        for (NewTask task : tasks) {
            args.add(IdEncoding.bytes(task.id()));
            args.add(RedisBytes.due(task.due()));
            args.add(POLICIES[task.conflictPolicy().ordinal()]);
            args.add(EnvelopeFormat.encode(task.requestId(), task.content()));
            replicas = Math.max(replicas, task.replicas());
        }
        String what = what("schedule", shard, tasks.size() == 1 ? tasks.get(0).id() : tasks.size() + " tasks");
        byte[][] scriptKeys = {k.index, k.tasks, k.leases, k.attempts, k.dead, k.transfers, k.layout, k.token};
        byte[][] scriptArgs = args.toArray(byte[][]::new);
        if (replicas == 0) {
            return scripts.<List<Object>>run(
                            Script.SCHEDULE, ScriptOutputType.MULTI, what, scriptKeys, scriptArgs, permit)
                    .thenApply(reply -> scheduleReplies(reply, what));
        }
        return replicated
                .<List<Object>>run(
                        replicas, Script.SCHEDULE, ScriptOutputType.MULTI, what, k, scriptKeys, scriptArgs, permit)
                .thenApply(reply -> scheduleReplies(reply.answer(), what).stream()
                        .map(one -> one.on(reply.replicas()))
                        .toList());
    }

    private static List<ScheduleReply> scheduleReplies(List<Object> reply, String what) {
        List<ScheduleReply> replies = new ArrayList<>(reply.size() / 2);
        for (int i = 0; i < reply.size(); i += 2) {
            replies.add(scheduleReply(reply.get(i), reply.get(i + 1), what));
        }
        return replies;
    }

    private static ScheduleReply scheduleReply(Object outcome, Object due, String what) {
        return switch (string(outcome)) {
            case "C" -> new ScheduleReply(ScheduleOutcome.CREATED, instant(due));
            case "R" -> new ScheduleReply(ScheduleOutcome.REPLACED, instant(due));
            case "F" -> new ScheduleReply(ScheduleOutcome.REPLACED_IN_FLIGHT, instant(due));
            case "K" -> new ScheduleReply(ScheduleOutcome.KEPT, instant(due));
            case "N" -> ScheduleReply.absent(number(due));
            case "M" -> ScheduleReply.MIGRATING;
            default -> throw unexpected(what);
        };
    }
}
