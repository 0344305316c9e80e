// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.DeadTrim;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Replicated;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardDeadPage;
import io.delayqueue.internal.store.ShardDeadPageRequest;
import io.delayqueue.internal.store.ShardPurge;
import io.delayqueue.internal.store.ShardRedrive;
import io.delayqueue.internal.store.ShardRedriveRequest;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TrimRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Keeps tasks in Redis.
 *
 * <h2>Storage details</h2>
 *
 * A shard is a sorted set of ids by the next moment each needs attention ({@code dq:{orders:0}:index}), a hash of
 * envelopes ({@code :tasks}), and three sparse keys for what is out of the ordinary: {@code :leases}, {@code :attempts}
 * and {@code :dead}. {@code :token} is the fencing token given out last, {@code :paused} is there while nothing may be
 * acquired, {@code :pace} says how far ahead paced redrives reach, {@code :acquires} remembers what each caller
 * acquired last, {@code :transfers} holds tasks that migrate to another shard, {@code :layout} is the newest layout
 * that a caller went by. {@code :catchup} says when the next overdue task may be taken. Every method is one run of one
 * script over keys of one hash tag, so it is atomic and stays in one slot.
 *
 * <p>No task and no lease rests on the expiry of a key: a lease that runs out is found because its deadline is its score.
 * The only key of a shard that expires is {@code :catchup}, which is there while {@code trigger.catch-up-rate} paces a
 * backlog and is gone a minute after its last task was taken, or a second after the pace allows the next one.
 *
 * <p>The clock is the Redis server's, read inside the script.
 */
public final class RedisTaskStore implements TaskStore {

    private final ScriptRunner scripts;
    private final RedisKeys keys;
    private final NewTaskCalls newTasks;
    private final StoredTaskCalls storedTasks;
    private final LeaseCalls leased;
    private final ShardCalls shards;
    private final DeadTaskCalls deadTasks;
    private final MigrationCalls transfers;
    private final LongSupplier clockOffsetMillis;
    private final Duration commandTimeout;

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
        this.commandTimeout = commandTimeout;
        this.scripts = new ScriptRunner(connectionFactory, commandTimeout);
        this.keys = keys;
        ReplicatedScripts replicated =
                new ReplicatedScripts(connectionFactory, commandTimeout, replicasTimeout, scripts.timer());
        this.newTasks = new NewTaskCalls(scripts, replicated, keys);
        this.storedTasks = new StoredTaskCalls(scripts, replicated, keys);
        this.leased = new LeaseCalls(scripts, keys, new ServerClocks(commandTimeout));
        this.shards = new ShardCalls(scripts, keys);
        this.deadTasks = new DeadTaskCalls(scripts, keys);
        this.transfers = new MigrationCalls(scripts, keys);
        this.clockOffsetMillis = clockOffsetMillis;
    }

    /**
     * The longest that a call may wait for replicas: it waits for those of the calls before it first, so that several
     * such times have to fit into its own.
     */
    public static Duration longestReplicasTimeout(Duration commandTimeout) {
        return commandTimeout.dividedBy(4);
    }

    @Override
    public Duration callTimeout() {
        return commandTimeout;
    }

    @Override
    public String serverOf(Shard shard) {
        return scripts.serverOf(keys.of(shard).index);
    }

    @Override
    public CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard, LayoutVersion layout, boolean onlyStored, long leastToken, List<NewTask> tasks) {
        return schedule(shard, layout, onlyStored, leastToken, new SendPermit(), tasks);
    }

    @Override
    public CompletableFuture<List<ScheduleReply>> schedule(
            Shard shard,
            LayoutVersion layout,
            boolean onlyStored,
            long leastToken,
            SendPermit permit,
            List<NewTask> tasks) {
        return newTasks.schedule(shard, layout, onlyStored, leastToken, permit, tasks, clockOffset());
    }

    @Override
    public CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request) {
        return leased.acquire(shard, request, clockOffsetMillis.getAsLong());
    }

    @Override
    public CompletableFuture<List<Boolean>> settle(Shard shard, List<Settlement> settlements) {
        return leased.settle(shard, settlements, clockOffset());
    }

    @Override
    public CompletableFuture<List<Boolean>> release(Shard shard, List<LeaseRef> leases) {
        return leased.release(shard, leases);
    }

    @Override
    public CompletableFuture<List<Boolean>> renew(Shard shard, List<LeaseRef> leases, Duration lease) {
        return leased.renew(shard, leases, lease, clockOffset());
    }

    @Override
    public CompletableFuture<CancelOutcome> cancel(Shard shard, LayoutVersion layout, String id) {
        return storedTasks.cancel(shard, layout, id, clockOffset());
    }

    @Override
    public CompletableFuture<Replicated<CancelOutcome>> cancel(
            Shard shard, LayoutVersion layout, String id, int replicas) {
        return storedTasks.cancel(shard, layout, id, replicas, clockOffset());
    }

    @Override
    public CompletableFuture<RescheduleOutcome> reschedule(Shard shard, LayoutVersion layout, String id, DueTime due) {
        return storedTasks.reschedule(shard, layout, id, due, clockOffset());
    }

    @Override
    public CompletableFuture<Replicated<RescheduleOutcome>> reschedule(
            Shard shard, LayoutVersion layout, String id, DueTime due, int replicas) {
        return storedTasks.reschedule(shard, layout, id, due, replicas, clockOffset());
    }

    @Override
    public CompletableFuture<Optional<StoredTask>> find(Shard shard, LayoutVersion layout, String id) {
        return storedTasks.find(shard, layout, id);
    }

    @Override
    public CompletableFuture<ShardStats> stats(Shard shard) {
        return shards.stats(shard, clockOffset());
    }

    @Override
    public CompletableFuture<ShardDeadPage> deadPage(Shard shard, ShardDeadPageRequest request) {
        return deadTasks.page(shard, request);
    }

    @Override
    public CompletableFuture<ShardRedrive> redrive(Shard shard, LayoutVersion layout, ShardRedriveRequest request) {
        return deadTasks.redrive(shard, layout, request, clockOffset());
    }

    @Override
    public CompletableFuture<List<Boolean>> discard(Shard shard, LayoutVersion layout, List<String> ids) {
        return deadTasks.discard(shard, layout, ids, clockOffset());
    }

    @Override
    public CompletableFuture<DeadTrim> trimDead(Shard shard, TrimRequest request) {
        return deadTasks.trim(shard, request, clockOffset());
    }

    @Override
    public CompletableFuture<Boolean> pause(Shard shard) {
        return shards.pause(shard, clockOffset());
    }

    @Override
    public CompletableFuture<Boolean> resume(Shard shard) {
        return shards.resume(shard);
    }

    @Override
    public CompletableFuture<ShardPurge> purge(Shard shard, int limit) {
        return shards.purge(shard, limit, clockOffset());
    }

    @Override
    public CompletableFuture<MigrationPage> scanForMigration(
            Shard shard, LayoutVersion layout, String cursor, int count) {
        return transfers.scan(shard, layout, cursor, count);
    }

    @Override
    public CompletableFuture<MigrationHold> holdForMigration(
            Shard shard, LayoutVersion layout, List<String> ids, Duration hold, int maxBytes) {
        return transfers.hold(shard, layout, ids, hold, maxBytes, clockOffset());
    }

    @Override
    public CompletableFuture<Boolean> takeIn(
            Shard shard, LayoutVersion layout, Instant before, long leastToken, List<MigrationHold.Item> tasks) {
        return transfers.takeIn(shard, layout, before, leastToken, tasks, clockOffset());
    }

    @Override
    public CompletableFuture<List<Boolean>> endMigration(Shard shard, long token, boolean migrated, List<String> ids) {
        return transfers.end(shard, token, migrated, ids);
    }

    @Override
    public CompletableFuture<Long> raiseToken(Shard shard, long leastToken) {
        return transfers.raiseToken(shard, leastToken);
    }

    @Override
    public CompletableFuture<Boolean> usesRoutingKeys(String queue, boolean note) {
        return shards.usesRoutingKeys(queue, note);
    }

    private byte[] clockOffset() {
        return bytes(clockOffsetMillis.getAsLong());
    }
}
