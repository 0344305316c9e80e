// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.store.DeadTaskStore;
import io.delayqueue.internal.store.GroupStore;
import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.LeaseStore;
import io.delayqueue.internal.store.MigrationStore;
import io.delayqueue.internal.store.OperationStore;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.RateStore;
import io.delayqueue.internal.store.ScheduleStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStore;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Keeps tasks in Redis.
 *
 * <h2>Storage details</h2>
 *
 * A shard is a sorted set of ids by the next moment each needs attention ({@code dq:{orders:0}:index}), a hash of
 * envelopes ({@code :tasks}), and three sparse keys for what is out of the ordinary: {@code :leases}, {@code :attempts}
 * and {@code :dead}. {@code :token} is the fencing token given out last, {@code :paused} is there while nothing may be
 * acquired, {@code :holds} holds tasks that migrate to another shard, {@code :layout} is the newest layout that a
 * caller went by, {@code :groups} the ids of tasks that have a group, {@code :history} the stream of what became
 * of tasks, where the queue has one. {@code :catchup} says when the next overdue task may be taken. Every method of the
 * parts is one run of one script over keys of one hash tag, so it is atomic and stays in one slot.
 *
 * <p>No task and no lease rests on the expiry of a key: a lease that runs out is found because its deadline is its
 * score. One key of a shard expires: {@code :catchup}, which is there while {@code trigger.catch-up-rate} paces a backlog
 * and is gone a minute after its last task was taken, or a second after the pace allows the next one. {@code :shift} has the
 * answers to the last steps of group shifts.
 *
 * <p>The clock is the Redis server's, read inside the script.
 */
public final class RedisTaskStore implements TaskStore {

    private final ScriptRunner scripts;
    private final RedisKeys keys;
    private final Duration commandTimeout;
    private final RedisConnections connections;
    private final QueueClock clock;
    private final ScheduleStore tasks;
    private final LeaseStore leases;
    private final GroupStore groups;
    private final DeadTaskStore dead;
    private final HistoryStore history;
    private final MigrationStore migrations;
    private final ShardStore shards;
    private final LayoutStore layouts;
    private final RateStore rates;
    private final OperationStore operations;

    /**
     * @param connections which the store does not close
     * @param keys names the keys
     * @param commandTimeout within which every call is answered or fails
     */
    public RedisTaskStore(RedisConnections connections, RedisKeys keys, Duration commandTimeout) {
        this(connections, keys, commandTimeout, () -> 0);
    }

    /**
     * For tests that move time.
     *
     * @param clockOffsetMillis added to the server's clock in every script
     */
    public RedisTaskStore(
            RedisConnections connections, RedisKeys keys, Duration commandTimeout, LongSupplier clockOffsetMillis) {
        this(connections, keys, commandTimeout, longestReplicasTimeout(commandTimeout), clockOffsetMillis);
    }

    /**
     * @param replicasTimeout how long to wait for replicas where a call asks for them; at most a quarter of the command
     *     time-out, see {@link #longestReplicasTimeout}
     */
    public RedisTaskStore(
            RedisConnections connections,
            RedisKeys keys,
            Duration commandTimeout,
            Duration replicasTimeout,
            LongSupplier clockOffsetMillis) {
        this(connections, keys, commandTimeout, replicasTimeout, clockOffsetMillis, queue -> 0);
    }

    /** @param historyLengths how many entries the history of a queue has for each shard; 0 for none */
    public RedisTaskStore(
            RedisConnections connections,
            RedisKeys keys,
            Duration commandTimeout,
            Duration replicasTimeout,
            LongSupplier clockOffsetMillis,
            ToIntFunction<String> historyLengths) {
        this(connections, keys, commandTimeout, replicasTimeout, clockOffsetMillis, historyLengths, QueueClock.SERVERS);
    }

    /**
     * With the clock of an application, which a test may make stand still.
     *
     * @param historyLengths how many entries the history of a queue has for each shard; 0 for none
     * @param queueClock asked before each call; where it stands still the servers' clocks are not read
     */
    public RedisTaskStore(
            RedisConnections connections,
            RedisKeys keys,
            Duration commandTimeout,
            Duration replicasTimeout,
            ToIntFunction<String> historyLengths,
            QueueClock queueClock) {
        this(connections, keys, commandTimeout, replicasTimeout, () -> 0, historyLengths, queueClock);
    }

    private RedisTaskStore(
            RedisConnections connections,
            RedisKeys keys,
            Duration commandTimeout,
            Duration replicasTimeout,
            LongSupplier clockOffsetMillis,
            ToIntFunction<String> historyLengths,
            QueueClock queueClock) {
        if (replicasTimeout.compareTo(longestReplicasTimeout(commandTimeout)) > 0) {
            throw new IllegalArgumentException(
                    "A store that answers within " + commandTimeout + " may wait for replicas" + " for "
                            + longestReplicasTimeout(commandTimeout) + " at most, but was given " + replicasTimeout);
        }
        this.scripts = new ScriptRunner(connections, commandTimeout, replicasTimeout);
        this.keys = keys;
        this.connections = connections;
        this.commandTimeout = commandTimeout;
        this.clock = queueClock;
        ClockOffset clock = new ClockOffset(clockOffsetMillis, queueClock);
        HistoriesKept histories = new HistoriesKept(historyLengths);
        this.tasks = new RedisScheduleStore(scripts, keys, clock, histories);
        this.leases = new RedisLeaseStore(scripts, keys, clock, new ServerClocks(commandTimeout), histories);
        this.groups = new RedisGroupStore(scripts, keys, clock, histories);
        this.dead = new RedisDeadTaskStore(scripts, keys, clock, histories);
        this.history = new RedisHistoryStore(scripts, keys);
        this.migrations = new RedisMigrationStore(scripts, keys, clock);
        this.shards = new RedisShardStore(scripts, keys, clock);
        this.layouts = new RedisLayoutStore(scripts, keys);
        this.rates = new RedisRateStore(scripts, keys, clock);
        this.operations = new RedisOperationStore(scripts, keys, clock);
    }

    /**
     * The longest that a call may wait for replicas: it waits for those of the calls before it first, so that several
     * such times have to fit into its own.
     */
    public static Duration longestReplicasTimeout(Duration commandTimeout) {
        return commandTimeout.dividedBy(4);
    }

    /** Counts the calls that Redis did not answer. */
    public RedisFailures failures() {
        return scripts.failures();
    }

    @Override
    public ScheduleStore tasks() {
        return tasks;
    }

    @Override
    public LeaseStore leases() {
        return leases;
    }

    @Override
    public GroupStore groups() {
        return groups;
    }

    @Override
    public DeadTaskStore dead() {
        return dead;
    }

    @Override
    public HistoryStore history() {
        return history;
    }

    @Override
    public MigrationStore migrations() {
        return migrations;
    }

    @Override
    public ShardStore shards() {
        return shards;
    }

    @Override
    public LayoutStore layouts() {
        return layouts;
    }

    @Override
    public RateStore rates() {
        return rates;
    }

    @Override
    public OperationStore operations() {
        return operations;
    }

    @Override
    public QueueClock clock() {
        return clock;
    }

    /**
     * Deletes all that is kept of a queue, for tests that leave nothing behind. Blocks. Whoever still uses the queue may write
     * some of it again.
     *
     * @param shards 0 to this less 1 are deleted
     */
    public void forget(String queue, int shards) {
        new StoredQueue(queue, keys).delete(connections, shards);
    }

    @Override
    public Duration callTimeout() {
        return commandTimeout;
    }

    @Override
    public String serverOf(Shard shard) {
        return connections.serverOf(keys.of(shard).of(ShardKey.INDEX));
    }
}
