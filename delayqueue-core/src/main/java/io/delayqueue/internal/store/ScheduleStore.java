// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.due;
import static io.delayqueue.internal.redis.RedisBytes.optional;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.EncodedPayload;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.calls.TaskMigratingException;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Stores, cancels, reschedules, updates and finds tasks by id. Threads and failures as in {@link TaskStore}. */
public class ScheduleStore {

    private static final byte[][] POLICIES =
            Arrays.stream(ConflictPolicy.values()).map(p -> bytes(p.name())).toArray(byte[][]::new);

    private static final byte[] ANY = bytes("any");
    private static final byte[] STORED = bytes("stored");
    private static final byte[] NONE = new byte[0];

    private final StoreScripts scripts;

    ScheduleStore(StoreScripts scripts) {
        this.scripts = scripts;
    }

    /**
     * Stores tasks, which must have different ids. Returns the replies in the order of the tasks. If any task requires
     * replicas, the call waits for the largest number required, at most until the store's time-out. Each reply contains
     * the number of replicas that confirmed.
     *
     * @param leastToken the highest {@link ScheduleReply#lastToken()} of the shards called before, which all later
     *     fencing tokens of this shard will exceed; 0 if there were none
     * @param permit permit to take before sending anything; if it was withdrawn, the call fails
     * @param tasks 1 to {@link TaskStore#MAX_BATCH}
     */
    public CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard,
            ShardingVersion sharding,
            ScheduleMode mode,
            long leastToken,
            SendPermit permit,
            List<NewTask> tasks) {
        int replicas = 0;
        List<byte[]> args = new ArrayList<>(2 + 4 * tasks.size());
        args.add(mode == ScheduleMode.EACH ? ANY : STORED);
        args.add(bytes(leastToken));
        for (NewTask task : tasks) {
            args.add(IdEncoding.bytes(task.id()));
            args.add(due(task.due()));
            args.add(POLICIES[task.conflictPolicy().ordinal()]);
            args.add(EnvelopeFormat.encode(task.requestId(), task.content()));
            replicas = Math.max(replicas, task.replicas());
        }
        String object = tasks.size() == 1 ? tasks.get(0).id() : tasks.size() + " tasks";
        ScriptRequest request =
                scripts.request(Script.SCHEDULE, shard, sharding, "schedule", object, args.toArray(byte[][]::new));
        return scripts.runner()
                .run(replicas, request, permit)
                .thenApply(reply -> Reply.of(request, reply.answer())
                        .rows(2)
                        .map(row -> scheduleReply(row).on(reply.replicas()))
                        .toList());
    }

    private static ScheduleReply scheduleReply(Reply row) {
        return switch (row.text(0)) {
            case "C" -> new ScheduleReply(ScheduleOutcome.CREATED, row.instant(1));
            case "R" -> new ScheduleReply(ScheduleOutcome.REPLACED, row.instant(1));
            case "F" -> new ScheduleReply(ScheduleOutcome.REPLACED_IN_FLIGHT, row.instant(1));
            case "D" -> new ScheduleReply(ScheduleOutcome.REPLACED_DEAD, row.instant(1));
            case "K" -> new ScheduleReply(ScheduleOutcome.KEPT, row.instant(1));
            case "N" -> ScheduleReply.absent(row.number(1));
            case "M" -> ScheduleReply.MIGRATING;
            default -> throw row.unexpected();
        };
    }

    /**
     * Deletes a live or dead task. Waits for the replicas, at most until the store's time-out, and also if the outcome
     * is {@link CancelOutcome#NOT_FOUND}, so that the replicas do not have the task either. Fails with {@link
     * TaskMigratingException} if the task is migrating to another shard.
     *
     * @param seenAt deletes the task only if this is its {@link StoredTask#nextAttentionAt}; null for any
     * @param replicas number of replicas to wait for; 0 for none
     */
    public CompletableFuture<Replicated<CancelOutcome>> cancel(
            Shard shard, ShardingVersion sharding, String id, @Nullable Instant seenAt, int replicas) {
        ScriptRequest request =
                scripts.request(Script.CANCEL, shard, sharding, "cancel", id, IdEncoding.bytes(id), optional(seenAt));
        return scripts.runner()
                .run(replicas, request, new SendPermit())
                .thenApply(reply -> reply.map(answer -> cancelOutcome(Reply.of(request, answer))));
    }

    private static CancelOutcome cancelOutcome(Reply reply) {
        return switch (reply.text(0)) {
            case "C" -> CancelOutcome.CANCELLED;
            case "F" -> CancelOutcome.IN_FLIGHT;
            case "D" -> CancelOutcome.DISCARDED_DEAD;
            case "N" -> CancelOutcome.NOT_FOUND;
            default -> throw reply.unexpected();
        };
    }

    /**
     * Changes the due time of a live task. Waits for the replicas, at most until the store's time-out. Fails with
     * {@link TaskMigratingException} if the task is migrating to another shard.
     *
     * @param seenAt changes the task only if this is its {@link StoredTask#nextAttentionAt}; null for any
     * @param replicas number of replicas to wait for; 0 for none
     */
    public CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard shard, ShardingVersion sharding, String id, Due due, @Nullable Instant seenAt, int replicas) {
        ScriptRequest request = scripts.request(
                Script.RESCHEDULE, shard, sharding, "reschedule", id, IdEncoding.bytes(id), due(due), optional(seenAt));
        return scripts.runner()
                .run(replicas, request, new SendPermit())
                .thenApply(reply -> reply.map(answer -> rescheduleOutcome(Reply.of(request, answer))));
    }

    private static RescheduleOutcome rescheduleOutcome(Reply reply) {
        return switch (reply.text(0)) {
            case "M" -> RescheduleOutcome.RESCHEDULED;
            case "F" -> RescheduleOutcome.IN_FLIGHT;
            case "N" -> RescheduleOutcome.NOT_FOUND;
            default -> throw reply.unexpected();
        };
    }

    /**
     * Changes the payload or headers of a waiting task. Keeps its due time, other headers, attempts and task key. Waits
     * for the replicas, at most until the store's time-out. Fails with {@link TaskMigratingException} if the task is
     * migrating to another shard, and with {@link io.delayqueue.InvalidTaskException} if its headers would be too large.
     *
     * @param maxHeaderBytes maximum size of the headers with this update
     * @param replicas number of replicas to wait for; 0 for none
     */
    public CompletableFuture<Replicated<UpdateOutcome>> update(
            Shard shard, ShardingVersion sharding, String id, TaskUpdate update, int maxHeaderBytes, int replicas) {
        EncodedPayload payload = update.payload();
        List<byte[]> args = new ArrayList<>(4 + 2 * update.headers().size());
        args.add(IdEncoding.bytes(id));
        args.add(bytes(maxHeaderBytes));
        args.add(payload == null ? NONE : EnvelopeFormat.contentType(payload.contentType()));
        args.add(payload == null ? NONE : payload.bytes());
        update.headers().forEach((name, value) -> {
            args.add(bytes(name));
            args.add(bytes(value));
        });
        ScriptRequest request =
                scripts.request(Script.UPDATE, shard, sharding, "update", id, args.toArray(byte[][]::new));
        return scripts.runner()
                .run(replicas, request, new SendPermit())
                .thenApply(reply -> reply.map(answer -> updateOutcome(Reply.of(request, answer))));
    }

    private static UpdateOutcome updateOutcome(Reply reply) {
        return switch (reply.text(0)) {
            case "U" -> UpdateOutcome.UPDATED;
            case "F" -> UpdateOutcome.IN_FLIGHT;
            case "N" -> UpdateOutcome.NOT_FOUND;
            default -> throw reply.unexpected();
        };
    }

    /** Reads a live or dead task. */
    public CompletableFuture<Optional<StoredTask>> find(Shard shard, ShardingVersion sharding, String id) {
        return scripts.run(Script.FIND, shard, sharding, "find", id, IdEncoding.bytes(id))
                .thenApply(reply -> reply.isEmpty() ? Optional.empty() : Optional.of(StoredTasks.found(reply)));
    }

    /** Reads a live or dead task without checking the sharding. */
    public CompletableFuture<Optional<StoredTask>> find(Shard shard, String id) {
        return find(shard, ShardingVersion.NONE, id);
    }
}
