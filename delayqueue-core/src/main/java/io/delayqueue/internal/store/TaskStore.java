// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisFailures;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.ScriptRunner;
import io.delayqueue.internal.redis.Scripts;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Keeps tasks in Redis, by roles. Each method of a role is one script; each call is atomic and touches one shard.
 *
 * <p>Every method is safe to call from many threads, does not block, and may be sent again when its answer was lost. A
 * future that fails does so with a {@link io.delayqueue.TaskStoreException}, within the command time-out. Futures
 * complete on a thread of the driver: dependents must neither block nor run user code there.
 *
 * <h2>Storage details</h2>
 *
 * A shard is a sorted set of ids by the next moment each needs attention ({@code dq:{orders:0}:index}), a hash of
 * envelopes ({@code :tasks}), and three sparse keys for what is out of the ordinary: {@code :leases}, {@code :attempts}
 * and {@code :dead}. {@code :token} is the fencing token given out last, {@code :paused} is there while nothing may be
 * acquired, {@code :holds} holds tasks that migrate to another shard, {@code :sharding} is the newest sharding that a
 * caller went by, {@code :groups} the ids of tasks that have a group, {@code :history} the stream of what became
 * of tasks, where the queue has one. {@code :catchup} says when the next overdue task may be taken.
 *
 * <p>No task and no lease rests on the expiry of a key: a lease that runs out is found because its deadline is its
 * score. One key of a shard expires: {@code :catchup}, which is there while {@code trigger.catch-up-rate} paces a backlog
 * and is gone a minute after its last task was taken, or a second after the pace allows the next one. {@code :shift} has the
 * answers to the last steps of group shifts.
 *
 * <p>The clock is the Redis server's, read inside the script.
 */
public class TaskStore {

    /** The most tasks that one call may carry. */
    public static final int MAX_BATCH = 500;

    /** What {@link #serverOf} answers where all shards are on one server. */
    public static final String ONLY_SERVER = RedisConnections.ONLY_SERVER;

    private final Scripts scripts;
    private final RedisKeys keys;
    private final Duration callTimeout;
    private final QueueClock clock;
    private final ScheduleStore tasks;
    private final LeaseStore leases;
    private final GroupStore groups;
    private final DeadTaskStore dead;
    private final HistoryStore history;
    private final MigrationStore migrations;
    private final ShardStore shards;
    private final ShardingStore shardings;
    private final RateStore rates;
    private final OperationStore operations;

    /**
     * @param connections which the store does not close
     * @param keys names the keys
     * @param commandTimeout within which every call is answered or fails
     */
    public TaskStore(RedisConnections connections, RedisKeys keys, Duration commandTimeout) {
        this(connections, keys, commandTimeout, () -> 0);
    }

    /**
     * For tests that move time.
     *
     * @param clockOffsetMillis added to the server's clock in every script
     */
    public TaskStore(
            RedisConnections connections, RedisKeys keys, Duration commandTimeout, LongSupplier clockOffsetMillis) {
        this(connections, keys, commandTimeout, longestReplicasTimeout(commandTimeout), clockOffsetMillis, queue -> 0);
    }

    /**
     * @param replicasTimeout how long to wait for replicas where a call asks for them; at most a quarter of the command
     *     time-out, see {@link #longestReplicasTimeout}
     * @param historyLengths how many entries the history of a queue has for each shard; 0 for none
     */
    public TaskStore(
            RedisConnections connections,
            RedisKeys keys,
            Duration commandTimeout,
            Duration replicasTimeout,
            LongSupplier clockOffsetMillis,
            ToIntFunction<String> historyLengths) {
        this(
                runner(connections, commandTimeout, replicasTimeout),
                keys,
                commandTimeout,
                historyLengths,
                new ClockOffset(clockOffsetMillis, QueueClock.SERVERS));
    }

    /**
     * With the clock of an application, which a test may make stand still.
     *
     * @param historyLengths how many entries the history of a queue has for each shard; 0 for none
     * @param queueClock asked before each call; where it stands still the servers' clocks are not read
     */
    public TaskStore(
            RedisConnections connections,
            RedisKeys keys,
            Duration commandTimeout,
            Duration replicasTimeout,
            ToIntFunction<String> historyLengths,
            QueueClock queueClock) {
        this(
                runner(connections, commandTimeout, replicasTimeout),
                keys,
                commandTimeout,
                historyLengths,
                new ClockOffset(() -> 0, queueClock));
    }

    /** Runs its scripts as the caller says. */
    public TaskStore(Scripts scripts, RedisKeys keys, Duration commandTimeout) {
        this(scripts, keys, commandTimeout, queue -> 0, new ClockOffset(() -> 0, QueueClock.SERVERS));
    }

    private TaskStore(
            Scripts scripts,
            RedisKeys keys,
            Duration commandTimeout,
            ToIntFunction<String> historyLengths,
            ClockOffset offset) {
        this.scripts = scripts;
        this.keys = keys;
        this.callTimeout = commandTimeout;
        this.clock = offset.clock();
        StoreParts parts = new StoreParts(scripts, keys, offset, new HistoriesKept(historyLengths));
        this.tasks = new ScheduleStore(parts);
        this.leases = new LeaseStore(parts, new ServerClocks(commandTimeout));
        this.groups = new GroupStore(parts);
        this.dead = new DeadTaskStore(parts);
        this.history = new HistoryStore(parts);
        this.migrations = new MigrationStore(parts);
        this.shards = new ShardStore(parts);
        this.shardings = new ShardingStore(parts);
        this.rates = new RateStore(parts);
        this.operations = new OperationStore(parts);
    }

    private static ScriptRunner runner(
            RedisConnections connections, Duration commandTimeout, Duration replicasTimeout) {
        if (replicasTimeout.compareTo(longestReplicasTimeout(commandTimeout)) > 0) {
            throw new IllegalArgumentException(
                    "A store that answers within " + commandTimeout + " may wait for replicas for "
                            + longestReplicasTimeout(commandTimeout) + " at most, but was given " + replicasTimeout);
        }
        return new ScriptRunner(connections, commandTimeout, replicasTimeout);
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

    /** What callers do with tasks by their ids. */
    public ScheduleStore tasks() {
        return tasks;
    }

    /** What the engine does with due tasks. */
    public LeaseStore leases() {
        return leases;
    }

    /** What is done with groups of tasks. */
    public GroupStore groups() {
        return groups;
    }

    /** What is done with dead tasks. */
    public DeadTaskStore dead() {
        return dead;
    }

    /** What became of tasks. */
    public HistoryStore history() {
        return history;
    }

    /** How tasks change their shard. */
    public MigrationStore migrations() {
        return migrations;
    }

    /** Figures and lists of tasks, pauses and purges. */
    public ShardStore shards() {
        return shards;
    }

    /** Over how many shards queues are spread, and which process does what only one has to do. */
    public ShardingStore shardings() {
        return shardings;
    }

    /** What was counted, minute by minute. */
    public RateStore rates() {
        return rates;
    }

    /** How far operations by filter are. */
    public OperationStore operations() {
        return operations;
    }

    /** The clock by which tasks are due. */
    public QueueClock clock() {
        return clock;
    }

    /** Within which every call is answered or fails. A caller that waits for one gives up a quarter of a second later. */
    public Duration callTimeout() {
        return callTimeout;
    }

    /**
     * Names the server that holds a shard now, as far as is known: one that does not answer says nothing about shards
     * of others. Asked often, by any thread; does not block.
     */
    public String serverOf(Shard shard) {
        return scripts.serverOf(shard.keys(keys));
    }

    /** Throws IllegalArgumentException unless a call may carry this many tasks. */
    public static void checkBatch(int tasks) {
        if (tasks < 1 || tasks > MAX_BATCH) {
            throw new IllegalArgumentException("A call carries 1 to " + MAX_BATCH + " tasks, but was given " + tasks);
        }
    }
}
