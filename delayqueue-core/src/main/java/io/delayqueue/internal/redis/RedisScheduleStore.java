// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.unexpected;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.ScheduleStore;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Stores, cancels, reschedules and looks up tasks. */
record RedisScheduleStore(ScriptRunner scripts, RedisKeys keys, ClockOffset clock, HistoriesKept histories)
        implements ScheduleStore {

    private static final byte[][] POLICIES =
            Arrays.stream(ConflictPolicy.values()).map(p -> bytes(p.name())).toArray(byte[][]::new);

    private static final byte[] ANY = bytes("any");
    private static final byte[] STORED = bytes("stored");
    private static final byte[] TOGETHER = bytes("together");

    @Override
    public CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard,
            LayoutVersion layout,
            ScheduleMode mode,
            long leastToken,
            SendPermit permit,
            List<NewTask> tasks) {
        ShardKeys k = keys.of(shard);
        int replicas = 0;
        List<byte[]> args = new ArrayList<>(6 + 4 * tasks.size());
        args.add(clock.bytes());
        args.add(k.wakeChannel);
        args.add(k.shardNumber);
        args.add(bytes(layout.text()));
        args.add(
                switch (mode) {
                    case EACH -> ANY;
                    case ONLY_STORED -> STORED;
                    case ALL_OR_NONE -> TOGETHER;
                });
        args.add(bytes(leastToken));
        for (NewTask task : tasks) {
            args.add(IdEncoding.bytes(task.id()));
            args.add(RedisBytes.due(task.due()));
            args.add(POLICIES[task.conflictPolicy().ordinal()]);
            args.add(EnvelopeFormat.encode(task.requestId(), task.content()));
            replicas = Math.max(replicas, task.replicas());
        }
        String what = what("schedule", shard, tasks.size() == 1 ? tasks.get(0).id() : tasks.size() + " tasks");
        return scripts.<List<Object>>run(replicas, Script.SCHEDULE, k, what, permit, args.toArray(byte[][]::new))
                .thenApply(reply -> scheduleReplies(reply.answer(), reply.replicas(), what));
    }

    private static List<ScheduleReply> scheduleReplies(List<Object> reply, int replicas, String what) {
        List<ScheduleReply> replies = new ArrayList<>(reply.size() / 2);
        for (int i = 0; i < reply.size(); i += 2) {
            ScheduleReply one = scheduleReply(reply.get(i), reply.get(i + 1), what);
            replies.add(replicas == 0 ? one : one.on(replicas));
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
            case "X" -> ScheduleReply.LEFT_OUT;
            default -> throw unexpected(what);
        };
    }

    @Override
    public CompletableFuture<Replicated<CancelOutcome>> cancel(
            Shard shard, LayoutVersion layout, String id, int replicas) {
        String what = what("cancel", shard, id);
        return scripts.<byte[]>run(
                        replicas,
                        Script.CANCEL,
                        keys.of(shard),
                        what,
                        clock.bytes(),
                        bytes(layout.text()),
                        IdEncoding.bytes(id),
                        histories.of(shard))
                .thenApply(reply -> reply.map(outcome -> cancelOutcome(outcome, what)));
    }

    private static CancelOutcome cancelOutcome(byte[] reply, String what) {
        return switch (string(reply)) {
            case "C" -> CancelOutcome.CANCELLED;
            case "F" -> CancelOutcome.IN_FLIGHT;
            case "N" -> CancelOutcome.NOT_FOUND;
            default -> throw unexpected(what);
        };
    }

    @Override
    public CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard shard, LayoutVersion layout, String id, Due due, int replicas) {
        ShardKeys k = keys.of(shard);
        String what = what("reschedule", shard, id);
        return scripts.<byte[]>run(
                        replicas,
                        Script.RESCHEDULE,
                        k,
                        what,
                        clock.bytes(),
                        k.wakeChannel,
                        k.shardNumber,
                        bytes(layout.text()),
                        IdEncoding.bytes(id),
                        RedisBytes.due(due),
                        histories.of(shard))
                .thenApply(reply -> reply.map(outcome -> rescheduleOutcome(outcome, what)));
    }

    private static RescheduleOutcome rescheduleOutcome(byte[] reply, String what) {
        return switch (string(reply)) {
            case "M" -> RescheduleOutcome.RESCHEDULED;
            case "F" -> RescheduleOutcome.IN_FLIGHT;
            case "N" -> RescheduleOutcome.NOT_FOUND;
            default -> throw unexpected(what);
        };
    }

    @Override
    public CompletableFuture<Replicated<UpdateOutcome>> update(
            Shard shard, LayoutVersion layout, String id, NewPayload payload, int replicas) {
        String what = what("update", shard, id);
        return scripts.<byte[]>run(
                        replicas,
                        Script.UPDATE,
                        keys.of(shard),
                        what,
                        clock.bytes(),
                        bytes(layout.text()),
                        IdEncoding.bytes(id),
                        EnvelopeFormat.contentType(payload.payload().contentType()),
                        payload.payload().bytes(),
                        payload.type().isEmpty()
                                ? new byte[0]
                                : EnvelopeFormat.header(TaskHeaders.TYPE, payload.type()))
                .thenApply(reply -> reply.map(outcome -> updateOutcome(outcome, what)));
    }

    private static UpdateOutcome updateOutcome(byte[] reply, String what) {
        return switch (string(reply)) {
            case "U" -> UpdateOutcome.UPDATED;
            case "F" -> UpdateOutcome.IN_FLIGHT;
            case "N" -> UpdateOutcome.NOT_FOUND;
            default -> throw unexpected(what);
        };
    }

    @Override
    public CompletableFuture<Optional<StoredTask>> find(Shard shard, LayoutVersion layout, String id) {
        String what = what("find", shard, id);
        return scripts.<List<Object>>run(Script.FIND, keys.of(shard), what, bytes(layout.text()), IdEncoding.bytes(id))
                .thenApply(reply -> reply.isEmpty() ? Optional.empty() : Optional.of(StoredTasks.found(id, reply)));
    }
}
