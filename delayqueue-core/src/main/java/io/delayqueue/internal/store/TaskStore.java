// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisFailures;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import io.delayqueue.internal.redis.ScriptRunner;
import java.time.Duration;
import java.util.function.ToIntFunction;

/**
 * Stores tasks in Redis. Its calls are grouped by role. Each method of a role runs one script, atomically, on one
 * shard.
 *
 * <p>Every method is thread-safe, does not block, and may be repeated if its reply was lost. A future fails with a
 * {@link io.delayqueue.TaskStoreException}, at the latest after the command time-out. Futures complete on a thread of
 * the driver, so dependent stages must neither block nor run user code there.
 *
 * <h2>Storage details</h2> A shard has a sorted set of ids ({@code dq:{orders:0}:index}), ordered by the time when each
 * task next needs attention, and a hash of envelopes ({@code :tasks}). The keys {@code :leases}, {@code :attempts} and
 * {@code :dead} contain entries only for tasks in these states. {@code :token} is the last issued fencing token. {@code
 * :paused} exists while the shard is paused. {@code :holds} contains tasks that are migrating to another shard, {@code
 * :sharding} the newest sharding that a caller has passed, {@code :groups} the ids of tasks with a group, {@code
 * :history} the stream of events if the queue keeps one, and {@code :catchup} the time when the next overdue task may
 * be acquired.
 *
 * <p>No task or lease depends on the expiry of a key: the deadline of a lease is its score, so an acquire finds an
 * expired lease. Two keys of a shard expire. {@code :paused} expires at the end of the pause. {@code :catchup} exists
 * while {@code limits.rate-when-overdue} limits a backlog; it expires a minute after the last task was acquired, or a
 * second after the rate allows the next. {@code :shift} contains the replies to the last steps of group shifts.
 *
 * <p>Scripts use the clock of the Redis server.
 *
 * @param callTimeout maximum duration of each call. A waiting caller gives up a quarter of a second later
 * @param shardings calls on the shardings of queues, and on the claims of jobs that one process does at a time
 * @param audit calls on the audit entries of all queues
 */
public record TaskStore(
        StoreScripts scripts,
        Duration callTimeout,
        ScheduleStore tasks,
        LeaseStore leases,
        GroupStore groups,
        DeadTaskStore dead,
        HistoryStore history,
        MigrationStore migrations,
        ShardStore shards,
        ShardingStore shardings,
        RateStore rates,
        OperationStore operations,
        QueueNoteStore queueNotes,
        AuditStore audit) {

    public static final int MAX_BATCH = 500;

    /** The result of {@link #serverOf} if all shards are on one server. */
    public static final String ONLY_SERVER = RedisConnections.ONLY_SERVER;

    /**
     * @param callTimeout maximum duration of each call
     * @param historyLengths history entries per shard of a queue; 0 for none
     * @param clock clock to read before each call; while it stands still, scripts do not read the servers' clocks
     */
    public TaskStore(
            ScriptRunner scripts,
            RedisKeys keys,
            Duration callTimeout,
            ToIntFunction<String> historyLengths,
            QueueClock clock) {
        this(new StoreScripts(scripts, keys, clock, historyLengths), callTimeout);
    }

    private TaskStore(StoreScripts scripts, Duration callTimeout) {
        this(
                scripts,
                callTimeout,
                new ScheduleStore(scripts),
                new LeaseStore(scripts, new ServerClocks(callTimeout)),
                new GroupStore(scripts),
                new DeadTaskStore(scripts),
                new HistoryStore(scripts),
                new MigrationStore(scripts),
                new ShardStore(scripts),
                new ShardingStore(scripts),
                new RateStore(scripts),
                new OperationStore(scripts),
                new QueueNoteStore(scripts),
                new AuditStore(scripts));
    }

    /**
     * Returns how long a call may wait for replicas. A call first waits for the replicas of earlier calls, so several
     * such waits must fit into the command time-out.
     */
    public static Duration longestReplicasTimeout(Duration commandTimeout) {
        return commandTimeout.dividedBy(4);
    }

    public RedisFailures failures() {
        return scripts.runner().failures();
    }

    /** Returns the clock that determines when tasks are due. */
    public QueueClock clock() {
        return scripts.clock();
    }

    /**
     * Returns the server that has a shard now, as far as this process knows. If one server does not answer, shards on
     * other servers may still work. Thread-safe and does not block.
     */
    public String serverOf(Shard shard) {
        return scripts.runner().serverOf(shard.keys(scripts.keys()).any());
    }

    /** Returns the server that has the rate of a queue now, as {@link #serverOf(Shard)} does for a shard. */
    public String serverOf(String queue) {
        return scripts.runner().serverOf(RedisBytes.bytes(scripts.keys().of(QueueKey.FLOW, queue)));
    }
}
