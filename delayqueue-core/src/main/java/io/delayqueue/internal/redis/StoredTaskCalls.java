// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.unexpected;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The calls that cancel, reschedule and look up one task by its id. */
final class StoredTaskCalls {

    private final ScriptRunner scripts;
    private final ReplicatedScripts replicated;
    private final RedisKeys keys;

    StoredTaskCalls(ScriptRunner scripts, ReplicatedScripts replicated, RedisKeys keys) {
        this.scripts = scripts;
        this.replicated = replicated;
        this.keys = keys;
    }

    CompletableFuture<CancelOutcome> cancel(Shard shard, LayoutVersion layout, String id, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        String what = what("cancel", shard, id);
        return scripts.<byte[]>run(
                        Script.CANCEL, ScriptOutputType.VALUE, what, cancelKeys(k), cancelArgs(layout, id, clockOffset))
                .thenApply(reply -> cancelOutcome(reply, what));
    }

    CompletableFuture<Replicated<CancelOutcome>> cancel(
            Shard shard, LayoutVersion layout, String id, int replicas, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        String what = what("cancel", shard, id);
        return replicated
                .<byte[]>run(
                        replicas,
                        Script.CANCEL,
                        ScriptOutputType.VALUE,
                        what,
                        k,
                        cancelKeys(k),
                        cancelArgs(layout, id, clockOffset))
                .thenApply(reply -> new Replicated<>(cancelOutcome(reply.answer(), what), reply.replicas()));
    }

    private static byte[][] cancelKeys(ShardKeys k) {
        return new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.transfers, k.layout};
    }

    private static byte[][] cancelArgs(LayoutVersion layout, String id, byte[] clockOffset) {
        return new byte[][] {clockOffset, bytes(layout.text()), IdEncoding.bytes(id)};
    }

    private static CancelOutcome cancelOutcome(byte[] reply, String what) {
        return switch (string(reply)) {
            case "C" -> CancelOutcome.CANCELLED;
            case "F" -> CancelOutcome.IN_FLIGHT;
            case "N" -> CancelOutcome.NOT_FOUND;
            default -> throw unexpected(what);
        };
    }

    CompletableFuture<RescheduleOutcome> reschedule(
            Shard shard, LayoutVersion layout, String id, DueTime due, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        String what = what("reschedule", shard, id);
        return scripts.<byte[]>run(
                        Script.RESCHEDULE,
                        ScriptOutputType.VALUE,
                        what,
                        rescheduleKeys(k),
                        rescheduleArgs(k, layout, id, due, clockOffset))
                .thenApply(reply -> rescheduleOutcome(reply, what));
    }

    CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard shard, LayoutVersion layout, String id, DueTime due, int replicas, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        String what = what("reschedule", shard, id);
        return replicated
                .<byte[]>run(
                        replicas,
                        Script.RESCHEDULE,
                        ScriptOutputType.VALUE,
                        what,
                        k,
                        rescheduleKeys(k),
                        rescheduleArgs(k, layout, id, due, clockOffset))
                .thenApply(reply -> new Replicated<>(rescheduleOutcome(reply.answer(), what), reply.replicas()));
    }

    private static byte[][] rescheduleKeys(ShardKeys k) {
        return new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.transfers, k.layout};
    }

    private static byte[][] rescheduleArgs(
            ShardKeys k, LayoutVersion layout, String id, DueTime due, byte[] clockOffset) {
        return new byte[][] {
            clockOffset, k.wakeChannel, k.shardNumber, bytes(layout.text()), IdEncoding.bytes(id), RedisBytes.due(due)
        };
    }

    private static RescheduleOutcome rescheduleOutcome(byte[] reply, String what) {
        return switch (string(reply)) {
            case "M" -> RescheduleOutcome.RESCHEDULED;
            case "F" -> RescheduleOutcome.IN_FLIGHT;
            case "N" -> RescheduleOutcome.NOT_FOUND;
            default -> throw unexpected(what);
        };
    }

    CompletableFuture<Optional<StoredTask>> find(Shard shard, LayoutVersion layout, String id) {
        ShardKeys k = keys.of(shard);
        return scripts.<List<Object>>run(
                        Script.FIND,
                        ScriptOutputType.MULTI,
                        what("find", shard, id),
                        new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.dead, k.layout},
                        new byte[][] {bytes(layout.text()), IdEncoding.bytes(id)})
                .thenApply(reply -> reply.isEmpty() ? Optional.empty() : Optional.of(storedTask(id, reply)));
    }

    private static StoredTask storedTask(String id, List<Object> reply) {
        TaskState state = switch (string(reply.get(0))) {
            case "L" -> TaskState.LEASED;
            case "D" -> TaskState.DEAD;
            default -> TaskState.SCHEDULED;
        };
        return new StoredTask(
                id,
                state,
                instant(reply.get(2)),
                instant(reply.get(3)),
                (int) number(reply.get(4)),
                (int) number(reply.get(5)),
                RedisBytes.reason(reply.get(6)),
                EnvelopeFormat.taskKey((byte[]) reply.get(1)),
                EnvelopeFormat.decode((byte[]) reply.get(1)));
    }
}
