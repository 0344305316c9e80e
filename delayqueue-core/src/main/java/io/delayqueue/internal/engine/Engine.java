// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.sharding.ShardMigrations;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.queue.QueueSettings;
import java.time.Duration;

/**
 * Takes the due tasks of queues, for all triggers of a process, and looks after their dead ones. Safe for use by many
 * threads; those of its own are made when they are first needed.
 */
public final class Engine implements AutoCloseable {

    private final EngineParts parts;
    private final DeadTrimmer deadTrimmer;
    private final ShardMigrations migrations;
    private final KeepAlive keepAlive = new KeepAlive();

    private Engine(EngineParts parts) {
        this.parts = parts;
        this.deadTrimmer = new DeadTrimmer(parts.store(), parts.layouts(), parts.scheduler());
        this.migrations = new ShardMigrations(parts.store(), parts.layouts(), parts.scheduler());
    }

    /** An engine without callbacks, with a scheduler of its own. */
    public static Engine over(TaskStore store, QueueLayouts layouts) {
        return over(store, layouts, new Scheduler(), EngineHooks.NONE);
    }

    /**
     * An engine over a store.
     *
     * @param scheduler must outlive the engine
     */
    public static Engine over(TaskStore store, QueueLayouts layouts, Scheduler scheduler, EngineHooks hooks) {
        return new Engine(EngineParts.of(store, layouts, scheduler, hooks));
    }

    /** The timer of this engine, for what belongs to its queues. */
    public Scheduler scheduler() {
        return parts.scheduler();
    }

    /** Returns what counts deliveries. */
    public DeliveryEvents events() {
        return parts.hooks().events();
    }

    /**
     * Scans a queue from now on, until what this returns is stopped. Meanwhile the process also takes part in dropping
     * the dead tasks that the queue is not to keep, and in migrating tasks when the number of its shards changes, and
     * the JVM does not end by itself.
     *
     * @param workers on which threads it delivers
     * @param wakeSignals says when there is work
     * @param ownership shares the shards among processes
     */
    public RunningQueue start(
            QueueDelivery delivery, WorkerThreads workers, WakeSignals wakeSignals, ShardOwnership ownership) {
        QueueSettings queue = delivery.queue();
        RunningQueue running = new RunningQueue(
                delivery, parts, WorkerPool.of(workers, parts.threads().workers()));
        try {
            Scheduler.Scheduled trimming = deadTrimmer.watch(queue);
            if (trimming != null) {
                running.atStop(trimming::cancel);
            }
            running.atStop(migrations.watch(queue.name())::close);
            running.start(wakeSignals, ownership);
            keepAlive.hold();
            running.atStop(keepAlive::release);
        } catch (Throwable ex) {
            running.abandon();
            throw ex;
        }
        return running;
    }

    /**
     * Takes due tasks until there are none or {@code limit} is reached, delivers them on the calling thread and returns
     * when they are settled or their lease has passed.
     *
     * @param limit 1 to 1,000
     * @return how many tasks were taken; fewer than {@code limit} when no more were due
     * @throws io.delayqueue.TaskStoreException if a shard could not be read, when the others have been; what was taken
     *     is delivered
     */
    public int scanOnce(QueueDelivery delivery, int limit) {
        return new ScanPass(delivery, parts).run(limit);
    }

    /**
     * Makes what hands the dead tasks of a queue to a destination.
     *
     * @param destination has called every outcome when its {@code deliver} returns
     * @param silence after which another process may go on in the place of this one; longer than a delivery may take
     */
    public DeadForwarding deadForwarding(QueueSettings queue, TaskDestination destination, Duration silence) {
        ForwardingClaim claim = new ForwardingClaim(queue.name(), parts.store().layouts(), silence);
        return new DeadForwarding(queue, parts, destination, claim);
    }

    /** Ends the threads. To be called when every queue has stopped and the store is still there. */
    @Override
    public void close() {
        keepAlive.close();
        migrations.close();
        parts.threads().close();
        deadTrimmer.close();
        parts.deaths().close();
    }
}
