// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.engine.PendingAcquires.Pending;
import io.delayqueue.internal.store.Shard;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scans of one queue that are under way, one at a time in each shard. Begins no more than idle workers can carry
 * and servers that answer can be asked for. Only passes touch this.
 */
final class ShardScans {

    private static final Logger log = LoggerFactory.getLogger(ShardScans.class);
    private static final long BUSY_PAUSE = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long SILENCE_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    private final String queue;
    private final boolean isolatesSuspects;
    private final ServerWatches servers;
    private final Passes passes;
    private final ScanSchedule schedule;
    private final Capacity capacity;
    private final ScanAnswers answers;
    private final Acquirer acquirer;
    private final PendingAcquires pending;
    private final Runnable serverAnswers;

    ShardScans(
            QueueDelivery delivery,
            EngineParts engine,
            Passes passes,
            ScanSchedule schedule,
            Capacity capacity,
            ScanAnswers answers) {
        this.queue = delivery.queue().name();
        this.isolatesSuspects = delivery.destination().traits().isolatesSuspects();
        this.servers = engine.servers();
        this.passes = passes;
        this.schedule = schedule;
        this.capacity = capacity;
        this.answers = answers;
        this.acquirer =
                new Acquirer(delivery, engine, delivery.queue().trigger().lookAhead());
        this.pending = new PendingAcquires(capacity, engine.threads(), passes::signal);
        // A server that was silent answers: what failed or was put off there is tried at once.
        this.serverAnswers = () -> passes.soon(schedule::wakeFailed);
    }

    /** The deliveries that have no outcome yet. Any thread. */
    ActiveDeliveries active() {
        return acquirer.active();
    }

    /** Whether none is under way. Any thread. */
    boolean areNone() {
        return pending.isEmpty();
    }

    /** Nobody wants to know any more that a server answers. */
    void forgetServers() {
        servers.forget(serverAnswers);
    }

    /** Takes up the answers that have come. */
    void takeUpAnswers() {
        pending.endAnswered(scan -> {
            Seam.run(log, "A shard is tried again after a pause only", () -> retryWhenItsServerAnswers(scan));
            try {
                answers.takeUp(scan);
            } catch (Throwable ex) {
                Seam.tell(() -> log.error("Queue '{}': an answer could not be taken up", queue, ex));
            }
            if (pending.hasPassedOverSuspects(scan)) {
                schedule.wakeAll();
            }
        });
    }

    private void retryWhenItsServerAnswers(Pending scan) {
        if (scan.acquired() == null && !passes.areEnding()) {
            scan.call().onNextAnswer(serverAnswers);
        }
    }

    /** What is late, or under lease at a server that does not answer, is not to hold up the shards of the others. */
    void passOverLateOnes(long now) {
        pending.passOverdueOnes(now);
        boolean any = servers.anySilent(now);
        capacity.leaveOut(any ? schedule.leased(shard -> serverOf(shard).isSilent(now)) : 0);
    }

    /** When a call that holds up others will be overdue, or its server silent. */
    long nextLate(long now) {
        long overdue = pending.nextOverdue(now);
        long silence = servers.nextSilence(now);
        return (overdue - silence <= 0) ? overdue : silence;
    }

    private ServerWatch serverOf(int shard) {
        return servers.of(new Shard(queue, shard));
    }

    /**
     * Begins as many as may be. Suspects are told apart by taking one at a time, so a destination that isolates them
     * has one call under way that is not overdue. The shards of a silent server are asked by one call, and nothing
     * waits for that.
     *
     * @param due the shards that want to be scanned, in this order
     */
    void begin(List<ScannedShard> due, long now) {
        int left = due.size();
        for (ScannedShard shard : due) {
            int limit = isolatesSuspects ? capacity.free() : (capacity.free() + left - 1) / left;
            if (passes.areEnding()) {
                return;
            }
            if (limit == 0 || (isolatesSuspects && pending.anyAwaited())) {
                passes.comeBackAt(nextLate(now));
                return;
            }
            Pending scan = pending.prepare(shard, limit);
            if (!scan.enter()) {
                passes.comeBackAt(now + BUSY_PAUSE);
                return;
            }
            try {
                begin(scan, now);
            } catch (Throwable ex) {
                scan.answered(null, ex);
                throw ex;
            }
            left--;
        }
    }

    private void begin(Pending scan, long now) {
        ScannedShard shard = scan.watch();
        if (!scan.ask(serverOf(shard.shard()), now, serverAnswers)) {
            scan.leave();
            passes.comeBackAt(now + SILENCE_PAUSE);
            return;
        }
        scan.begin(now, isolatesSuspects);
        try {
            acquirer.acquire(
                    new Shard(queue, shard.shard()),
                    scan.limit(),
                    scan.takesSuspect(),
                    () -> taskDone(shard),
                    this::suspectDone,
                    scan::answered);
        } catch (Throwable ex) {
            scan.answered(null, ex); // this shard failed, the others go on
        }
    }

    private void taskDone(ScannedShard shard) {
        shard.addLeased(-1);
        capacity.taskDone();
    }

    private void suspectDone() {
        schedule.wakeAll();
        passes.signal();
    }
}
