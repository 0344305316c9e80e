// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.HistoryEntry;
import io.delayqueue.TaskStoreTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * For people and tools that look after queues. Safe for use by many threads; every call blocks until Redis has
 * answered, or throws {@link TaskStoreTimeoutException} when one of its calls to Redis was not answered in time.
 *
 * <p>A call that reaches many tasks makes many small calls to Redis, of at most 500 tasks each. Each of these is
 * atomic, the whole is not: when Redis fails or the process dies midway, every task is as it was or as it should be,
 * and the same call made again goes on from there.
 */
public interface DelayQueueAdmin {

    /** The names of the configured queues. */
    Set<String> queues();

    /** Counts of every configured queue by its name. */
    Map<String, QueueStats> statsByQueue();

    /** Counts of one queue. Costs one script call per shard, whatever the number of tasks. */
    QueueStats stats(String queue);

    /**
     * What the clock of Redis says, in whole milliseconds, by which tasks are due and die; where several servers hold shards
     * of the queue, the latest of theirs. Costs one script call per shard.
     */
    Instant now(String queue);

    /**
     * Reads tasks that wait or are under delivery, a page at a time, without touching them. A page looks at 10,000 tasks at
     * most, however few ids begin as asked for.
     */
    LiveTaskPage liveTasks(String queue, LiveTaskPageRequest request);

    /**
     * Counts live tasks by when they need attention next, in slices of equal width. Costs one script call per shard,
     * whatever the number of tasks.
     *
     * @param from when the first slice begins
     * @param width of a slice, a millisecond at least
     * @param slices how many, 1 to 500
     * @throws IllegalArgumentException if there are too many or too few slices, or the last ends after the year 9999
     */
    DueCounts dueCounts(String queue, Instant from, Duration width, int slices);

    /**
     * Tells which of the tasks that {@link #dueCounts} counts are under delivery or wait after a failed attempt. Looks at 10,000
     * records of failed attempts of each shard at most, those of dead tasks among them, and at 1,000 leases.
     *
     * @throws IllegalArgumentException as {@link #dueCounts}
     */
    DueKinds dueKinds(String queue, Instant from, Duration width, int slices);

    /**
     * What became of a task, the newest entry last, also after it was delivered or given up. Empty where the queue keeps no
     * history ({@code delayqueue.queues.<name>.history}), or has lost what it knew of the id. Looks at the newest 20,000
     * entries of the id's shard at most, 500 with each script call, and answers the newest 100 of the id. What was written
     * before the number of shards changed is found too, as far as 64 script calls in all reach. Where the queue keeps none by
     * the settings of this process, and the id's shard has none left, that is one call.
     *
     * <p>The history is written within the step that it tells of, but for nothing else: what a failover loses of a queue it
     * loses of the history. It does not tell of tasks that were replaced, purged, or deleted by {@code dead.retention} or {@code
     * dead.cap}, nor of attempts that did not count.
     */
    List<HistoryEntry> history(String queue, String id);

    /** Reads dead tasks, a page at a time, without touching them. */
    DeadTaskPage deadTasks(String queue, DeadTaskPageRequest request);

    /**
     * Makes a dead task live again: due at once, its failed attempts forgotten.
     *
     * @return whether it was; false when the queue holds no dead task of this id
     */
    boolean redrive(String queue, String id);

    /** Makes these dead tasks live again, all due at once. */
    RedriveResult redrive(String queue, Collection<String> ids);

    /**
     * Makes these dead tasks live again, at a pace: they are given due times {@code 1/perSecond} seconds apart, behind all that
     * were given at a pace before. So the pace needs no process that stays alive, and holds over several calls and processes.
     * The due time of a task that was not dead stays unused.
     *
     * @param perSecond how many become due in a second at most, 1 to 1,000,000
     */
    RedriveResult redrive(String queue, Collection<String> ids, int perSecond);

    /**
     * Makes all dead tasks live again, at a pace: shard after shard and the longest dead of each first, as {@link
     * #redrive(String, Collection, int)}. When this returns, which takes milliseconds for a thousand tasks, the rest is the
     * triggers' ordinary work.
     *
     * <p>When the process dies in the middle, each task is redriven or still dead; call it again, and the rest queues up behind
     * those redriven before. Tasks that die while this runs are left to the next call.
     *
     * @param perSecond how many become due in a second at most, 1 to 1,000,000
     */
    RedriveResult redriveAll(String queue, int perSecond);

    /**
     * Deletes a dead task.
     *
     * @return whether it was; false when the queue holds no dead task of this id
     */
    boolean discard(String queue, String id);

    /**
     * Deletes these tasks where they are dead.
     *
     * @return how many were
     */
    long discard(String queue, Collection<String> ids);

    /**
     * Stops every process from taking tasks of the queue, at once and until {@link #resume}. The state is in Redis, so
     * it outlives restarts. Deliveries that run go on and are settled. Scheduling, cancelling and rescheduling work as
     * ever; what becomes due waits.
     */
    void pause(String queue);

    /** Lets tasks of the queue be taken again, and wakes its triggers. */
    void resume(String queue);

    /** Whether tasks are kept from being taken, in any shard. */
    boolean isPaused(String queue);

    /**
     * Deletes every task of a queue, live and dead. Tasks scheduled while this runs may be deleted or left; pause the
     * producers for an empty queue. A pause of the queue stays.
     *
     * @param confirmQueueName the queue's name once more
     * @throws PurgeNotConfirmedException if the names differ
     */
    PurgeResult purge(String queue, String confirmQueueName);

    /**
     * Changes over how many shards a queue is spread, for every process and while they run. Returns as soon as the new
     * number is in force; the processes that scan the queue then migrate the tasks, which {@link #sharding} tells. Every
     * operation works as ever meanwhile. A restart does not undo it, unless the configured number is another one than
     * before.
     *
     * @param shards 1 to 1,024
     * @throws ReshardException if the number is out of range, or tasks still migrate after another change; back to the
     *     number before that change is possible at any time
     */
    QueueSharding reshard(String queue, int shards);

    /** Over how many shards a queue is spread, and whether tasks still migrate because that has changed. */
    QueueSharding sharding(String queue);
}
