// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.HistoryEntry;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ListedTask;
import io.delayqueue.TaskPage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Manages queues, for operators and tools. A bean; inject it. Thread-safe. Every call blocks until Redis has replied.
 * It throws {@link io.delayqueue.UnknownQueueException} if the queue is not configured, and
 * {@link io.delayqueue.TaskStoreException} if Redis does not execute the call. To change all tasks that match a filter,
 * use {@code BulkOperations} of delayqueue-control.
 *
 * <p>A call that affects many tasks makes many small calls to Redis, for at most 500 tasks each. Each of these is
 * atomic, but the whole call is not. If Redis fails or the process dies, every task is either unchanged or changed
 * completely, and repeating the call continues from there.
 */
public interface DelayQueueAdmin {

    /** Returns the names of the configured queues. */
    Set<String> queues();

    /** Returns the counts of every configured queue by name. */
    Map<String, QueueStats> statsByQueue();

    /** Returns the counts of one queue. Costs one script call per shard, regardless of the number of tasks. */
    QueueStats stats(String queue);

    /**
     * Returns the time of the Redis clock that decides when tasks are due, in whole milliseconds. If several servers
     * hold shards of the queue, returns the latest of their times. Costs one script call per shard.
     */
    Instant now(String queue);

    /**
     * Returns waiting and leased tasks, ordered by shard and then by when they next need attention, without changing
     * them. Reads at most 10,000 tasks per call, even if few ids match the prefix.
     *
     * @throws IllegalArgumentException if the query asks for contents or for newest-first order, or if its position is
     *     not from a page of live tasks
     */
    TaskPage<ListedTask> liveTasks(String queue, TaskQuery query);

    /**
     * Returns the history of a task, newest entry last, even after it was delivered or died. Empty if the queue keeps
     * no history ({@code delayqueue.queues.<name>.history}) or has already trimmed the entries of this id. Reads at
     * most the newest 20,000 entries of the id's shard, 500 per script call, and returns the newest 100 of the id.
     * Includes entries from before a change of the number of shards, up to a total of 64 script calls. If this process
     * keeps no history for the queue and the id's shard has none left, this costs one call.
     *
     * <p>Each entry is written atomically with its event. A failover that loses a change also loses its entry. The
     * history does not contain tasks that were replaced, purged, or removed by {@code dead.retention} or
     * {@code dead.cap}, nor attempts that did not count.
     */
    List<HistoryEntry> history(String queue, String id);

    /**
     * Returns dead tasks, ordered by shard and then by death, oldest first, without changing them. With
     * {@link TaskQuery#newestFirst}, the most recent death of all shards is first. A page may have fewer tasks than
     * requested, even if more follow. Does not return tasks that were forwarded to {@code dead.exchange}.
     *
     * @throws IllegalArgumentException if the query has a condition, or if its position is not from a page of dead
     *     tasks
     */
    TaskPage<ListedTask> deadTasks(String queue, TaskQuery query);

    /**
     * Makes a dead task live again: due at once, with its failed attempts reset.
     *
     * @return whether it was redriven; {@code false} if the queue has no dead task with this id
     */
    boolean redrive(String queue, String id);

    /** Makes these dead tasks live again, all due at once. */
    RedriveResult redrive(String queue, Collection<String> ids);

    /**
     * Makes these dead tasks live again at a limited rate: their due times are {@code 1/perSecond} seconds apart and
     * follow all due times assigned by earlier such calls. The rate therefore requires no running process and holds
     * across calls and processes. If a task is not dead, its due time stays unused.
     *
     * @param perSecond maximum number of tasks that become due per second, 1 to 1,000,000
     */
    RedriveResult redrive(String queue, Collection<String> ids, int perSecond);

    /**
     * Makes all dead tasks live again at a limited rate: shard by shard, oldest death first, as
     * {@link #redrive(String, Collection, int)} does. The call takes milliseconds for a thousand tasks; the triggers
     * then deliver them as usual.
     *
     * <p>If the process dies during the call, each task is either redriven or still dead. Repeat the call: the
     * remaining tasks follow those already redriven. Tasks that die during the call wait for the next call.
     *
     * @param perSecond maximum number of tasks that become due per second, 1 to 1,000,000
     */
    RedriveResult redriveAll(String queue, int perSecond);

    /**
     * Deletes a dead task.
     *
     * @return whether it was deleted; {@code false} if the queue has no dead task with this id
     */
    boolean discard(String queue, String id);

    /**
     * Deletes the given tasks that are dead, and ignores the others.
     *
     * @return the number of deleted tasks
     */
    long discard(String queue, Collection<String> ids);

    /**
     * Stops every process from acquiring tasks of the queue, at once and until {@link #resume}. The state is stored in
     * Redis and survives restarts. Running deliveries continue and are settled. Scheduling, cancelling and rescheduling
     * work as usual; tasks that become due wait. If the queue is paused, the pause loses its end and
     * keeps its reason.
     */
    void pause(String queue);

    /**
     * Pauses the queue for a time, and notes why. The pause ends automatically, by the clock of Redis, and needs no
     * running process. If the queue is paused, this replaces end and reason of the pause. In all other respects, this
     * is like {@link #pause(String)}.
     *
     * @param by name of the operator, for other operators; empty if unknown. At most 200 characters are stored
     * @param reason reason for the pause; empty for none. At most 200 characters are stored
     * @param time duration of the pause; null until {@link #resume}
     * @throws IllegalArgumentException if the time is not positive
     */
    void pause(String queue, String by, String reason, @Nullable Duration time);

    /** Lets processes acquire tasks of the queue again, and wakes its triggers. */
    void resume(String queue);

    /** Returns whether any shard of the queue is paused. */
    boolean isPaused(String queue);

    /** Returns the limits that {@link #setKeyLimits} has set for a key; {@link KeyLimits#NONE} for none. */
    KeyLimits keyLimits(String queue, String key);

    /**
     * Sets limits for one key, for all processes and until they are set again. They are stored in Redis, survive
     * restarts, follow the key when the queue is resharded, and apply at once, also to tasks that wait. Each limit
     * replaces the configured one ({@code delayqueue.queues.<name>.limits.per-key}), if any. A concurrency limit does
     * not count deliveries that were in progress before it was set.
     *
     * @param limits {@link KeyLimits#NONE} to return to the configured limits
     * @throws InvalidTaskException if the key is invalid
     */
    void setKeyLimits(String queue, String key, KeyLimits limits);

    /** Returns until when a key is closed; empty if it is open. */
    Optional<Instant> keyClosedUntil(String queue, String key);

    /**
     * Closes a key: until then, no process acquires its tasks. Deliveries in progress continue. The tasks keep their
     * due times and use no attempt. Replaces an earlier closure of the key.
     *
     * @param until end of the closure, by the clock of Redis; {@link Instant#MAX} to close the key until {@link
     *     #openKey}
     * @throws InvalidTaskException if the key is invalid
     */
    void closeKey(String queue, String key, Instant until);

    /** Opens a closed key. Its overdue tasks are then delivered as fast as the limits of the key allow. */
    void openKey(String queue, String key);

    /**
     * Returns the ten keys with the most held-back tasks, most first. Reads 200 keys per script call, and at most the
     * first 20,000 waiting keys of each shard.
     */
    List<WaitingKey> waitingKeys(String queue);

    /**
     * Returns how many tasks of a key are held back, and until when; empty if no task is held back.
     *
     * @throws InvalidTaskException if the key is invalid
     */
    Optional<WaitingKey> waitingKey(String queue, String key);

    /**
     * Deletes every task of a queue, live and dead. Tasks scheduled during the call may be deleted or kept; to empty
     * the queue, stop the producers first. A paused queue stays paused.
     *
     * @param confirmQueueName the queue's name, repeated
     * @throws InvalidTaskException if the names differ
     */
    PurgeResult purge(String queue, String confirmQueueName);

    /**
     * Changes the number of shards of a queue for every running process. Returns as soon as the new number is in
     * effect. The processes that scan the queue then migrate the tasks, as {@link #sharding} shows; all operations keep
     * working. A restart does not undo the change, unless the configured number has changed since.
     *
     * @param shards 1 to 1,024
     * @throws ReshardException if the number is out of range, or if tasks still migrate after an earlier change;
     *     returning to the number before that change is always possible
     */
    QueueSharding reshard(String queue, int shards);

    /** Returns the number of shards of a queue, and whether tasks still migrate after a change. */
    QueueSharding sharding(String queue);
}
