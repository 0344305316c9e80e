// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.sharding.ShardMigrations;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.sharding.WorkClaim;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.task.VirtualThreadTaskExecutor;

/**
 * Delivers tasks: scans queues for due tasks for all triggers of a process, and trims and forwards dead tasks. Creates
 * threads on demand. Thread-safe.
 */
public final class Engine implements AutoCloseable {

    private final EngineParts parts;
    private final DeadTrimmer deadTrimmer;
    private final ShardMigrations migrations;
    private final QueueProcesses processes;
    private final Set<RunningQueue> running = ConcurrentHashMap.newKeySet();

    /**
     * Creates an engine over a store.
     *
     * @param scheduler must outlive the engine
     */
    public Engine(TaskStore store, Shardings shardings, Scheduler scheduler, EngineHooks hooks) {
        this.parts = new EngineParts(store, shardings, scheduler, hooks);
        this.deadTrimmer = new DeadTrimmer(store, shardings, scheduler.worker(), hooks.events(), DeadTrimmer.PERIOD);
        this.migrations = new ShardMigrations(store, shardings, scheduler);
        this.processes = new QueueProcesses(store, scheduler, parts.limits(), QueueProcesses.PERIOD, ProcessName.OWN);
    }

    /**
     * Records these queues in Redis from now on. Warns if processes have different settings for a queue, or if a queue
     * has tasks and no live process delivers them.
     *
     * @param application name of this application
     * @param expected queues that need no warning
     */
    public void announce(String application, QueueCatalog queues, Set<String> expected) {
        processes.announce(application, queues, expected);
    }

    /** Returns the queues that this process currently delivers, and its workers for them. */
    public ProcessLoad load() {
        return new ProcessLoad(
                processes.delivered(),
                running.stream().mapToLong(RunningQueue::workers).sum(),
                running.stream().mapToLong(RunningQueue::busyWorkers).sum());
    }

    /** Returns problems that concern several processes, by queue, including queues that are not configured here. */
    public Map<String, String> queueProblems() {
        return processes.problems();
    }

    public Scheduler scheduler() {
        return parts.scheduler();
    }

    public DeliveryEvents events() {
        return parts.hooks().events();
    }

    /**
     * Scans a queue until the returned handle is stopped. Until then, also trims the queue's dead tasks, migrates tasks
     * when the number of shards changes, and keeps the JVM alive.
     *
     * @param virtualThreads whether to deliver on virtual threads (JDK 21 or later)
     * @param wakeSignals signals that report new work
     */
    public RunningQueue start(QueueDelivery delivery, boolean virtualThreads, WakeSignals wakeSignals) {
        QueueSettings queue = delivery.queue();
        RunningQueue running = new RunningQueue(
                delivery,
                parts,
                virtualThreads
                        ? new VirtualThreadTaskExecutor()
                        : parts.threads().workers(),
                this.running);
        try {
            running.atStop(deadTrimmer.watch(queue)::cancel);
            running.atStop(migrations.watch(queue.name())::cancel);
            processes.begin(delivery);
            running.atStop(() -> processes.end(delivery));
            running.start(wakeSignals);
            running.atStop(parts.threads()::release);
            parts.threads().hold();
        } catch (Throwable ex) {
            running.abandon();
            throw ex;
        }
        return running;
    }

    /**
     * Acquires due tasks until none are left or {@code limit} is reached, and delivers them on the calling thread.
     * Returns when they are settled or their leases have expired.
     *
     * @param limit 1 to 1,000
     * @return the number of tasks acquired; less than {@code limit} only if no more were due
     * @throws io.delayqueue.TaskStoreException if a shard could not be read; the tasks of the other shards have been
     *     delivered
     */
    public int scanOnce(QueueDelivery delivery, int limit) {
        return new ScanOnce(delivery, parts).run(limit);
    }

    /**
     * Returns a forwarder of the dead tasks of a queue.
     *
     * @param destination destination that settles all deliveries before its {@code deliver} returns
     * @param silence time after which another process takes over from a silent one; must exceed the longest delivery
     */
    public DeadForwarding deadForwarding(QueueSettings queue, TaskDestination destination, Duration silence) {
        WorkClaim claim = new WorkClaim(
                silence, (owner, time) -> parts.store().shardings().claimForwarder(queue.name(), owner, time));
        return new DeadForwarding(queue, parts, destination, claim);
    }

    /**
     * Stops the remaining queues and ends the threads. Waits for a delivery that has stopped its own queue. Call this
     * before you close the store.
     */
    @Override
    public void close() {
        running.forEach(queue -> queue.stop(Thread.currentThread(), System.nanoTime()));
        migrations.close();
        processes.close();
        parts.threads().close();
        deadTrimmer.close();
        parts.deaths().close();
    }
}
