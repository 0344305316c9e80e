// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import static io.delayqueue.redis.Wire.bytes;
import static io.delayqueue.redis.Wire.instant;
import static io.delayqueue.redis.Wire.number;
import static io.delayqueue.redis.Wire.string;
import static io.delayqueue.redis.Wire.what;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreException;
import io.delayqueue.store.AcquireRequest;
import io.delayqueue.store.AcquiredTask;
import io.delayqueue.store.Acquisition;
import io.delayqueue.store.DeadPage;
import io.delayqueue.store.DeadPageRequest;
import io.delayqueue.store.DeadTrim;
import io.delayqueue.store.LayoutStamp;
import io.delayqueue.store.LeaseRef;
import io.delayqueue.store.NewTask;
import io.delayqueue.store.Purged;
import io.delayqueue.store.RedriveRequest;
import io.delayqueue.store.Redriven;
import io.delayqueue.store.Replicated;
import io.delayqueue.store.ScheduleReply;
import io.delayqueue.store.Settlement;
import io.delayqueue.store.Shard;
import io.delayqueue.store.ShardStats;
import io.delayqueue.store.StoredTask;
import io.delayqueue.store.TaskStore;
import io.delayqueue.store.Transfer;
import io.delayqueue.store.TransferPage;
import io.delayqueue.store.TrimRequest;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps tasks in Redis.
 *
 * <h2>Storage details</h2>
 *
 * A shard is a sorted set of ids by the next moment each needs attention ({@code dq:{orders:0}:index}), a hash of envelopes
 * ({@code :tasks}), and three sparse keys for what is out of the ordinary: {@code :leases}, {@code :attempts} and
 * {@code :dead}. {@code :token} counts acquisitions, {@code :paused} is there while nothing may be acquired, {@code :pace} says
 * how far ahead paced redrives reach, {@code :transfers} holds
 * tasks that are moved to another shard, {@code :layout} is the newest layout that a caller went by. Every method is one run of one script over keys of one hash tag, so it
 * is atomic and stays in one slot. No key expires: a lease that runs out is found because its deadline is its score.
 *
 * <p>The clock is the Redis server's, read inside the script.
 */
public final class RedisTaskStore implements TaskStore {

    private static final byte[][] POLICIES =
            Arrays.stream(ConflictPolicy.values()).map(p -> bytes(p.name())).toArray(byte[][]::new);

    private final ScriptRunner scripts;
    private final ReplicatedScripts replicated;
    private final RedisKeys keys;
    private final DeadTaskCalls deadTasks;
    private final TransferCalls transfers;
    private final LongSupplier clockOffsetMillis;
    private final ServerClocks clocks;

    /**
     * @param connectionFactory started, with a bounded command time-out and without replay of commands; see
     *     {@link RedisConnections}
     * @param keys names the keys
     * @param commandTimeout within which every call is answered or fails
     */
    public RedisTaskStore(LettuceConnectionFactory connectionFactory, RedisKeys keys, Duration commandTimeout) {
        this(connectionFactory, keys, commandTimeout, () -> 0);
    }

    /**
     * For tests that move time.
     *
     * @param clockOffsetMillis added to the server's clock in every script
     */
    public RedisTaskStore(
            LettuceConnectionFactory connectionFactory,
            RedisKeys keys,
            Duration commandTimeout,
            LongSupplier clockOffsetMillis) {
        this(connectionFactory, keys, commandTimeout, longestReplicasTimeout(commandTimeout), clockOffsetMillis);
    }

    /**
     * @param replicasTimeout how long to wait for replicas where a call asks for them; at most a quarter of the command
     *     time-out, see {@link #longestReplicasTimeout}
     */
    public RedisTaskStore(
            LettuceConnectionFactory connectionFactory,
            RedisKeys keys,
            Duration commandTimeout,
            Duration replicasTimeout,
            LongSupplier clockOffsetMillis) {
        if (replicasTimeout.compareTo(longestReplicasTimeout(commandTimeout)) > 0) {
            throw new IllegalArgumentException(
                    "A store that answers within " + commandTimeout + " may wait for replicas" + " for "
                            + longestReplicasTimeout(commandTimeout) + " at most, but was given " + replicasTimeout);
        }
        this.scripts = new ScriptRunner(connectionFactory, commandTimeout);
        this.replicated = new ReplicatedScripts(connectionFactory, commandTimeout, replicasTimeout, scripts.timer());
        this.keys = keys;
        this.deadTasks = new DeadTaskCalls(scripts, keys);
        this.transfers = new TransferCalls(scripts, keys);
        this.clockOffsetMillis = clockOffsetMillis;
        this.clocks = new ServerClocks(commandTimeout);
    }

    /**
     * The longest that a call may wait for replicas: it waits for those of the calls before it first, so that several such
     * times have to fit into its own.
     */
    public static Duration longestReplicasTimeout(Duration commandTimeout) {
        return commandTimeout.dividedBy(4);
    }

    @Override
    public CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard, LayoutStamp layout, boolean onlyHeld, List<NewTask> tasks) {
        ShardKeys k = keys.of(shard);
        int replicas = 0;
        List<byte[]> args = new ArrayList<>(5 + 5 * tasks.size());
        args.add(clockOffset());
        args.add(k.wakeChannel);
        args.add(k.shardNumber);
        args.add(bytes(layout.text()));
        args.add(bytes(onlyHeld ? "held" : "any"));
        for (NewTask task : tasks) {
            args.add(IdText.bytes(task.id()));
            args.add(Wire.mode(task.due()));
            args.add(bytes(task.due().millis()));
            args.add(POLICIES[task.conflictPolicy().ordinal()]);
            args.add(EnvelopeFormat.encode(task.requestId(), task.content()));
            replicas = Math.max(replicas, task.replicas());
        }
        String what = what("schedule", shard, tasks.size() == 1 ? tasks.get(0).id() : tasks.size() + " tasks");
        byte[][] scriptKeys = {k.index, k.tasks, k.leases, k.attempts, k.dead, k.transfers, k.layout};
        byte[][] scriptArgs = args.toArray(byte[][]::new);
        if (replicas == 0) {
            return scripts.<List<Object>>run(Script.SCHEDULE, ScriptOutputType.MULTI, what, scriptKeys, scriptArgs)
                    .thenApply(reply -> scheduleReplies(reply, what));
        }
        return replicated
                .<List<Object>>run(replicas, Script.SCHEDULE, ScriptOutputType.MULTI, what, k, scriptKeys, scriptArgs)
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

    @Override
    public CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request) {
        ShardKeys k = keys.of(shard);
        long offsetMillis = clockOffsetMillis.getAsLong();
        byte[][] args = {
            bytes(offsetMillis),
            bytes(request.limit()),
            bytes(request.lease().toMillis()),
            bytes(request.maxLeaseExpiries()),
            bytes(request.maxBytes()),
            bytes(request.maxSuspects()),
            bytes(request.lookAhead().toMillis()),
            bytes(Double.toString(request.catchUpPerSecond())),
            clocks.endOfPatience(shard)
        };
        return scripts.<List<Object>>run(
                        Script.POP_DUE,
                        ScriptOutputType.MULTI,
                        what("acquire", shard, "due tasks"),
                        new byte[][] {
                            k.index, k.tasks, k.leases, k.attempts, k.dead, k.token, k.paused, k.catchup, k.transfers
                        },
                        args)
                .thenApply(reply -> {
                    Acquisition acquisition = acquisition(shard, reply);
                    clocks.heard(shard, acquisition.serverMicros(), offsetMillis);
                    return acquisition;
                });
    }

    @Override
    public CompletableFuture<List<Boolean>> settle(Shard shard, List<Settlement> settlements) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(3 + 6 * settlements.size());
        args.add(clockOffset());
        args.add(k.wakeChannel);
        args.add(k.shardNumber);
        for (Settlement settlement : settlements) {
            args.add(IdText.bytes(settlement.id()));
            args.add(bytes(settlement.token()));
            args.add(bytes(settlement.verb().name()));
            args.add(bytes(settlement.delay().toMillis()));
            args.add(bytes((settlement.countsAsFailure() ? "c" : "") + (settlement.uncertain() ? "u" : "")));
            args.add(bytes(settlement.reason()));
        }
        return scripts.<List<Object>>run(
                        Script.SETTLE,
                        ScriptOutputType.MULTI,
                        what("settle", shard, settlements.size() + " leases"),
                        new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.dead},
                        args.toArray(byte[][]::new))
                .thenApply(Wire::verdicts);
    }

    @Override
    public CompletableFuture<List<Boolean>> release(Shard shard, List<LeaseRef> leases) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(2 + 2 * leases.size());
        args.add(k.wakeChannel);
        args.add(k.shardNumber);
        for (LeaseRef lease : leases) {
            args.add(IdText.bytes(lease.id()));
            args.add(bytes(lease.token()));
        }
        return scripts.<List<Object>>run(
                        Script.RELEASE,
                        ScriptOutputType.MULTI,
                        what("release", shard, leases.size() + " leases"),
                        new byte[][] {k.index, k.leases},
                        args.toArray(byte[][]::new))
                .thenApply(Wire::verdicts);
    }

    @Override
    public CompletableFuture<List<Boolean>> renew(Shard shard, List<LeaseRef> leases, Duration lease) {
        ShardKeys k = keys.of(shard);
        List<byte[]> args = new ArrayList<>(2 + 2 * leases.size());
        args.add(clockOffset());
        args.add(bytes(lease.toMillis()));
        for (LeaseRef ref : leases) {
            args.add(IdText.bytes(ref.id()));
            args.add(bytes(ref.token()));
        }
        return scripts.<List<Object>>run(
                        Script.RENEW,
                        ScriptOutputType.MULTI,
                        what("renew", shard, leases.size() + " leases"),
                        new byte[][] {k.index, k.leases},
                        args.toArray(byte[][]::new))
                .thenApply(Wire::verdicts);
    }

    @Override
    public CompletableFuture<CancelOutcome> cancel(Shard shard, LayoutStamp layout, String id) {
        ShardKeys k = keys.of(shard);
        String what = what("cancel", shard, id);
        return scripts.<byte[]>run(Script.CANCEL, ScriptOutputType.VALUE, what, cancelKeys(k), cancelArgs(layout, id))
                .thenApply(reply -> cancelOutcome(reply, what));
    }

    @Override
    public CompletableFuture<Replicated<CancelOutcome>> cancel(
            Shard shard, LayoutStamp layout, String id, int replicas) {
        ShardKeys k = keys.of(shard);
        String what = what("cancel", shard, id);
        return replicated
                .<byte[]>run(
                        replicas, Script.CANCEL, ScriptOutputType.VALUE, what, k, cancelKeys(k), cancelArgs(layout, id))
                .thenApply(reply -> new Replicated<>(cancelOutcome(reply.answer(), what), reply.replicas()));
    }

    private static byte[][] cancelKeys(ShardKeys k) {
        return new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.transfers, k.layout};
    }

    private byte[][] cancelArgs(LayoutStamp layout, String id) {
        return new byte[][] {clockOffset(), bytes(layout.text()), IdText.bytes(id)};
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
    public CompletableFuture<RescheduleOutcome> reschedule(Shard shard, LayoutStamp layout, String id, DueTime due) {
        ShardKeys k = keys.of(shard);
        String what = what("reschedule", shard, id);
        return scripts.<byte[]>run(
                        Script.RESCHEDULE,
                        ScriptOutputType.VALUE,
                        what,
                        rescheduleKeys(k),
                        rescheduleArgs(k, layout, id, due))
                .thenApply(reply -> rescheduleOutcome(reply, what));
    }

    @Override
    public CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard shard, LayoutStamp layout, String id, DueTime due, int replicas) {
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
                        rescheduleArgs(k, layout, id, due))
                .thenApply(reply -> new Replicated<>(rescheduleOutcome(reply.answer(), what), reply.replicas()));
    }

    private static byte[][] rescheduleKeys(ShardKeys k) {
        return new byte[][] {k.index, k.leases, k.attempts, k.transfers, k.layout};
    }

    private byte[][] rescheduleArgs(ShardKeys k, LayoutStamp layout, String id, DueTime due) {
        return new byte[][] {
            clockOffset(),
            k.wakeChannel,
            k.shardNumber,
            bytes(layout.text()),
            IdText.bytes(id),
            Wire.mode(due),
            bytes(due.millis())
        };
    }

    private static RescheduleOutcome rescheduleOutcome(byte[] reply, String what) {
        return switch (string(reply)) {
            case "M" -> RescheduleOutcome.MOVED;
            case "F" -> RescheduleOutcome.IN_FLIGHT;
            case "N" -> RescheduleOutcome.NOT_FOUND;
            default -> throw unexpected(what);
        };
    }

    @Override
    public CompletableFuture<Optional<StoredTask>> find(Shard shard, LayoutStamp layout, String id) {
        ShardKeys k = keys.of(shard);
        return scripts.<List<Object>>run(
                        Script.FIND,
                        ScriptOutputType.MULTI,
                        what("find", shard, id),
                        new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.dead, k.layout},
                        new byte[][] {bytes(layout.text()), IdText.bytes(id)})
                .thenApply(reply -> reply.isEmpty() ? Optional.empty() : Optional.of(storedTask(id, reply)));
    }

    @Override
    public CompletableFuture<ShardStats> stats(Shard shard) {
        ShardKeys k = keys.of(shard);
        return scripts.<List<Object>>run(
                        Script.STATS,
                        ScriptOutputType.MULTI,
                        what("stats", shard, "counts"),
                        new byte[][] {k.index, k.leases, k.dead, k.paused, k.pace},
                        new byte[][] {clockOffset()})
                .thenApply(reply -> new ShardStats(
                        number(reply.get(0)),
                        number(reply.get(1)),
                        number(reply.get(2)),
                        number(reply.get(3)),
                        string(reply.get(4)).isEmpty() ? null : instant(reply.get(4)),
                        number(reply.get(5)) == 1,
                        number(reply.get(6))));
    }

    @Override
    public CompletableFuture<DeadPage> deadPage(Shard shard, DeadPageRequest request) {
        return deadTasks.page(shard, request);
    }

    @Override
    public CompletableFuture<Redriven> redrive(Shard shard, LayoutStamp layout, RedriveRequest request) {
        return deadTasks.redrive(shard, layout, request, clockOffset());
    }

    @Override
    public CompletableFuture<List<Boolean>> discard(Shard shard, LayoutStamp layout, List<String> ids) {
        return deadTasks.discard(shard, layout, ids, clockOffset());
    }

    @Override
    public CompletableFuture<DeadTrim> trimDead(Shard shard, TrimRequest request) {
        return deadTasks.trim(shard, request, clockOffset());
    }

    @Override
    public CompletableFuture<Boolean> pause(Shard shard) {
        ShardKeys k = keys.of(shard);
        return scripts.<Long>run(
                        Script.PAUSE,
                        ScriptOutputType.INTEGER,
                        what("pause", shard, "acquiring"),
                        new byte[][] {k.leases, k.paused},
                        new byte[][] {clockOffset()})
                .thenApply(reply -> reply == 1);
    }

    @Override
    public CompletableFuture<Boolean> resume(Shard shard) {
        ShardKeys k = keys.of(shard);
        return scripts.<Long>run(
                        Script.RESUME,
                        ScriptOutputType.INTEGER,
                        what("resume", shard, "acquiring"),
                        new byte[][] {k.paused},
                        new byte[][] {k.wakeChannel, k.shardNumber})
                .thenApply(reply -> reply == 1);
    }

    @Override
    public CompletableFuture<Purged> purge(Shard shard, int limit) {
        ShardKeys k = keys.of(shard);
        return scripts.<List<Object>>run(
                        Script.PURGE,
                        ScriptOutputType.MULTI,
                        what("purge", shard, limit + " tasks"),
                        new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.dead, k.transfers},
                        new byte[][] {clockOffset(), bytes(limit)})
                .thenApply(reply -> new Purged(
                        ((Long) reply.get(0)).intValue(),
                        ((Long) reply.get(1)).intValue(),
                        ((Long) reply.get(2)).intValue(),
                        (Long) reply.get(3)));
    }

    @Override
    public CompletableFuture<TransferPage> scanForTransfer(Shard shard, LayoutStamp layout, String cursor, int count) {
        return transfers.scan(shard, layout, cursor, count);
    }

    @Override
    public CompletableFuture<Transfer> holdForTransfer(
            Shard shard, LayoutStamp layout, List<String> ids, Duration hold, int maxBytes) {
        return transfers.hold(shard, layout, ids, hold, maxBytes, clockOffset());
    }

    @Override
    public CompletableFuture<Boolean> takeIn(
            Shard shard, LayoutStamp layout, Instant before, List<Transfer.Item> tasks) {
        return transfers.takeIn(shard, layout, before, tasks, clockOffset());
    }

    @Override
    public CompletableFuture<List<Boolean>> endTransfer(Shard shard, long token, boolean moved, List<String> ids) {
        return transfers.end(shard, token, moved, ids);
    }

    private static Acquisition acquisition(Shard shard, List<Object> reply) {
        long micros = number(reply.get(0));
        String next = string(reply.get(1));
        Duration untilNext = next.isEmpty()
                ? null
                : Duration.of(Math.max(0, Long.parseLong(next) * 1000 - micros), ChronoUnit.MICROS);
        String token = string(reply.get(2));
        List<?> flat = (List<?>) reply.get(4);
        List<AcquiredTask> tasks = new ArrayList<>(flat.size() / 5);
        for (int i = 0; i < flat.size(); i += 5) {
            tasks.add(new AcquiredTask(
                    Wire.id(flat.get(i)),
                    instant(flat.get(i + 2)),
                    (int) number(flat.get(i + 3)),
                    (int) number(flat.get(i + 4)),
                    EnvelopeFormat.decode((byte[]) flat.get(i + 1))));
        }
        List<?> unfit = (List<?>) reply.get(5);
        Map<String, String> buried = new LinkedHashMap<>();
        for (int i = 0; i < unfit.size(); i += 2) {
            buried.put(Wire.id(unfit.get(i)), string(unfit.get(i + 1)));
        }
        List<String> newer = ((List<?>) reply.get(6)).stream().map(Wire::id).toList();
        return new Acquisition(
                shard, token.isEmpty() ? 0 : Long.parseLong(token), tasks, untilNext, micros, buried, newer);
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
                Wire.reason(reply.get(6)),
                EnvelopeFormat.decode((byte[]) reply.get(1)));
    }

    private static ScheduleReply scheduleReply(Object outcome, Object due, String what) {
        return switch (string(outcome)) {
            case "C" -> new ScheduleReply(ScheduleOutcome.CREATED, instant(due));
            case "R" -> new ScheduleReply(ScheduleOutcome.REPLACED, instant(due));
            case "F" -> new ScheduleReply(ScheduleOutcome.REPLACED_IN_FLIGHT, instant(due));
            case "K" -> new ScheduleReply(ScheduleOutcome.KEPT, instant(due));
            case "N" -> ScheduleReply.ABSENT;
            case "M" -> ScheduleReply.MOVING;
            default -> throw unexpected(what);
        };
    }

    private static TaskStoreException unexpected(String what) {
        return new TaskStoreException(what + ": the script's reply is not one this version knows", true, null);
    }

    private byte[] clockOffset() {
        return bytes(clockOffsetMillis.getAsLong());
    }
}
