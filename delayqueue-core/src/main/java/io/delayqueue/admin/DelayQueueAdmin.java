// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.HistoryEntry;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ListedTask;
import io.delayqueue.RescheduleOutcome;
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
 * Manages queues, for operators and tools. Inject this bean into your code. Thread-safe. Every call blocks until Redis
 * has replied. Calls throw {@link io.delayqueue.UnknownQueueException} if the queue is not configured, and {@link
 * io.delayqueue.TaskStoreException} if Redis does not confirm the call. To change all tasks that match a filter, use
 * {@code BulkOperations} of delayqueue-control.
 *
 * <p>A call that affects many tasks makes many small calls to Redis, for at most 500 tasks each. Each small call is
 * atomic, but the complete call is not. If Redis fails or the process dies, every task is either unchanged or
 * completely changed. Repeat the call to change the rest.
 */
public interface DelayQueueAdmin {

    /** Returns the names of the configured queues. */
    Set<String> queues();

    /** Returns the counts of every configured queue by name. */
    Map<String, QueueStats> statsByQueue();

    /** Returns the counts of one queue. Costs one script call per shard, regardless of the number of tasks. */
    QueueStats stats(String queue);

    /**
     * Returns the time of the Redis server's clock, which decides when tasks are due, in whole milliseconds. If the
     * queue has shards on several servers, returns the latest of their times. Costs one script call per shard.
     */
    Instant now(String queue);

    /**
     * Returns waiting and leased tasks, ordered by shard and then by the time when they are due or retried or their
     * lease ends. Reads at most 10,000 tasks per call, even if few ids match the prefix.
     *
     * @throws IllegalArgumentException if the query asks for newest-first order, or if its position is invalid
     */
    TaskPage<ListedTask> liveTasks(String queue, TaskQuery query);

    /**
     * Returns the history of a task, newest entry last, even after the task was delivered or died. Empty if the queue
     * keeps no history ({@code delayqueue.queues.<name>.history}) or no longer has entries of this id. Reads up to
     * 20,000 of the newest entries of the id's shard, 500 per script call, and returns up to 100 of the newest entries
     * of the id. Includes entries from before a change of the number of shards, with up to 64 script calls in total.
     * Costs one call if this process keeps no history for the queue and the id's shard has none.
     *
     * <p>Each entry is written atomically with its event. A failover that loses a change also loses its entry. The
     * history has no entries for tasks that were replaced, purged, or removed by {@code dead.retention}, or for
     * attempts that did not count. Dead tasks removed by {@code dead.cap} or forwarded have the event {@code discarded}.
     */
    List<HistoryEntry> history(String queue, String id);

    /**
     * Returns dead tasks, ordered by shard and then by time of death, oldest first. With {@link TaskQuery#newestFirst},
     * returns the dead tasks of all shards in one list, newest first. A page may have fewer tasks than requested, even
     * if more follow. Does not return tasks that were forwarded to {@code dead.exchange}.
     *
     * @throws IllegalArgumentException if the query has a condition, or if its position is not from a page of dead
     *     tasks
     */
    TaskPage<ListedTask> deadTasks(String queue, TaskQuery query);

    /**
     * Cancels a task, but only if it has not changed since it was read. Redis compares {@code nextAttentionAt} and changes
     * the task in one step. A reschedule, a delivery, a retry and each extension of the lease change this time. An update
     * does not, nor does a new task with the same id and due time. The call is never part of a transaction.
     *
     * @param nextAttentionAt its {@link ListedTask#nextAttentionAt()} when it was read
     * @return as {@link DelayQueueOperations#cancel(String, String)}; {@link CancelOutcome#NOT_FOUND} also if the task
     *     has changed
     */
    CancelOutcome cancel(String queue, String id, Instant nextAttentionAt);

    /**
     * Changes the due time of a live task, but only if it has not changed since it was read; see {@link #cancel}.
     *
     * @param nextAttentionAt its {@link ListedTask#nextAttentionAt()} when it was read
     * @return as {@link DelayQueueOperations#reschedule(String, String, Due)}; {@link RescheduleOutcome#NOT_FOUND} also
     *     if the task has changed
     */
    RescheduleOutcome reschedule(String queue, String id, Due due, Instant nextAttentionAt);

    /**
     * Redrives a dead task: it is due at once, with its failed attempts reset.
     *
     * @return whether it was redriven; {@code false} if the queue has no dead task with this id
     */
    boolean redrive(String queue, String id);

    /**
     * Redrives a dead task like {@link #redrive(String, String)}, but only if it has not changed since it was read.
     *
     * @param nextAttentionAt its {@link ListedTask#nextAttentionAt()}: the time of its death
     * @return whether it was redriven; {@code false} also if it has changed
     */
    boolean redrive(String queue, String id, Instant nextAttentionAt);

    /** Redrives these dead tasks. They are all due at once. */
    RedriveResult redrive(String queue, Collection<String> ids);

    /**
     * Redrives these dead tasks at a limited rate. Their due times are {@code 1/perSecond} seconds apart, and later
     * than the due times assigned by earlier calls of this kind. Therefore, the rate applies across calls and processes
     * and needs no running process. The due time of a task that is not dead remains unused.
     *
     * @param perSecond maximum number of tasks that become due per second, 1 to 1,000,000
     */
    RedriveResult redrive(String queue, Collection<String> ids, int perSecond);

    /**
     * Redrives all dead tasks at a limited rate, shard by shard and oldest death first; see {@link #redrive(String,
     * Collection, int)}. The call takes milliseconds for a thousand tasks; the triggers then deliver them as usual.
     *
     * <p>If the process dies during the call, each task is either redriven or still dead. Repeat the call: the
     * remaining tasks follow those already redriven. Tasks that die during the call wait for the next call.
     * While the number of shards changes, the call can miss tasks: repeat it after the change.
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
     * Deletes a dead task, but only if it has not changed since it was read.
     *
     * @param nextAttentionAt its {@link ListedTask#nextAttentionAt()}: the time of its death
     * @return whether it was deleted; {@code false} also if it has changed
     */
    boolean discard(String queue, String id, Instant nextAttentionAt);

    /**
     * Deletes the dead tasks with these ids. Ignores other tasks.
     *
     * @return the number of deleted tasks
     */
    long discard(String queue, Collection<String> ids);

    /**
     * Stops every process from acquiring tasks of the queue, at once and until {@link #resume}. The state is stored in
     * Redis and survives restarts. Running deliveries continue and are settled. Scheduling, cancelling and rescheduling
     * work as usual; tasks that become due wait. If the queue is already paused, removes the end of the pause and keeps
     * its reason.
     */
    void pause(String queue);

    /**
     * Pauses the queue for a time and stores the reason. The pause ends automatically, by the clock of Redis, without a
     * running process. If the queue is already paused, replaces the end and the reason of the pause. Otherwise, this is
     * like {@link #pause(String)}.
     *
     * @param by name of the operator, for other operators; empty if unknown. At most 200 characters are stored
     * @param reason reason for the pause; empty for none. At most 200 characters are stored
     * @param time duration of the pause; null until {@link #resume}
     * @throws IllegalArgumentException if the time is not positive
     */
    void pause(String queue, String by, String reason, @Nullable Duration time);

    /** Resumes the queue: processes acquire its tasks again, and its triggers wake up. */
    void resume(String queue);

    /** Returns whether any shard of the queue is paused. */
    boolean isPaused(String queue);

    /** Returns the limits of a key that were set with {@link #setKeyLimits}; {@link KeyLimits#NONE} for none. */
    KeyLimits keyLimits(String queue, String key);

    /**
     * Sets limits for a key in all processes, until they are set again. They are stored in Redis and survive restarts
     * and reshards. They apply at once, also to tasks that are already waiting. Each limit replaces the configured one
     * ({@code delayqueue.queues.<name>.limits.per-key}), if any. A concurrency limit does not count deliveries that
     * were in progress before it was set.
     *
     * @param limits the limits; {@link KeyLimits#NONE} to restore the configured limits
     * @throws InvalidTaskException if the key is invalid
     */
    void setKeyLimits(String queue, String key, KeyLimits limits);

    /** Returns the time until which a key is closed; empty if it is open. */
    Optional<Instant> keyClosedUntil(String queue, String key);

    /**
     * Closes a key until the given time: no process acquires its tasks. Deliveries in progress continue. The waiting
     * tasks keep their due times, and no attempts are counted. Replaces an earlier closure of the key.
     *
     * @param until end of the closure, by the clock of Redis. {@link Instant#MAX} closes the key until {@link #openKey}.
     *     A time that has passed opens it.
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
     * Returns the number of held-back tasks of a key and the time of the next one; empty if no task is held back.
     *
     * @throws InvalidTaskException if the key is invalid
     */
    Optional<WaitingKey> waitingKey(String queue, String key);

    /**
     * Deletes every task of a queue, live and dead. Tasks scheduled during the call may be deleted or kept; to empty
     * the queue, stop the producers first. A paused queue stays paused.
     *
     * @param confirmQueueName the queue's name again, as confirmation
     * @throws InvalidTaskException if the names differ
     */
    PurgeResult purge(String queue, String confirmQueueName);

    /**
     * Changes the number of shards of a queue for every running process. Returns as soon as the new number is in
     * effect. The processes that scan the queue then migrate the tasks; {@link #sharding} shows whether they have
     * finished. All operations continue to work. A restart does not undo the change, unless the configured number has
     * changed since.
     *
     * @param shards 1 to 1,024
     * @throws ReshardException if the number is out of range, or if tasks are still migrating after an earlier change.
     *     You can always return to the number before that change
     */
    QueueSharding reshard(String queue, int shards);

    /** Returns the number of shards of a queue, and whether tasks are still migrating after a change. */
    QueueSharding sharding(String queue);
}
