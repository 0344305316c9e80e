// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * Where tasks are kept, by roles. Each method of a role is one script; each call is atomic and touches one shard.
 *
 * <p>Every method is safe to call from many threads, does not block, and may be sent again when its answer was lost. A
 * future that fails does so with a {@link io.delayqueue.TaskStoreException}, within the command time-out. Futures
 * complete on a thread of the driver: dependents must neither block nor run user code there.
 */
public interface TaskStore {

    /** The most tasks that one call may carry. */
    int MAX_BATCH = 500;

    /** What {@link #serverOf} answers where all shards are on one server. */
    String ONLY_SERVER = "";

    /** What callers do with tasks by their ids. */
    ScheduleStore tasks();

    /** What the engine does with due tasks. */
    LeaseStore leases();

    /** What is done with groups of tasks. */
    GroupStore groups();

    /** What is done with dead tasks. */
    DeadTaskStore dead();

    /** What became of tasks. */
    HistoryStore history();

    /** How tasks change their shard. */
    MigrationStore migrations();

    /** Figures and lists of tasks, pauses and purges. */
    ShardStore shards();

    /** Over how many shards queues are spread, and which process does what only one has to do. */
    LayoutStore layouts();

    RateStore rates();

    /** How far operations by filter are. */
    OperationStore operations();

    /** The clock by which tasks are due; the servers' own unless overridden. */
    default QueueClock clock() {
        return QueueClock.SERVERS;
    }

    /**
     * Within which every call is answered or fails. Who waits for one gives up a quarter of a second later. 2 s unless
     * overridden, as the command time-out is.
     */
    default Duration callTimeout() {
        return Duration.ofSeconds(2);
    }

    /**
     * Names the server that holds a shard now, as far as is known: one that does not answer says nothing about shards
     * of others. Asked often, by any thread; does not block.
     */
    default String serverOf(Shard shard) {
        return ONLY_SERVER;
    }

    /** Throws IllegalArgumentException unless a call may carry this many tasks. */
    static void checkBatch(int tasks) {
        if (tasks < 1 || tasks > MAX_BATCH) {
            throw new IllegalArgumentException("A call carries 1 to " + MAX_BATCH + " tasks, but was given " + tasks);
        }
    }
}
