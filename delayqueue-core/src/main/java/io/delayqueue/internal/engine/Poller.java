// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.DestinationTraits;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.concurrent.SignalledRounds;
import io.delayqueue.internal.engine.Acquirer.Acquired;
import io.delayqueue.internal.engine.PendingAcquires.Pending;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.queue.QueueSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans one queue in one process. Takes no more than the destination's workers can carry, comes back when the next task is
 * due, a wake signal comes, a worker is free again or the back-stop has passed, and survives whatever Redis and the
 * destination do.
 *
 * <p>It has no thread of its own. Whatever happens calls {@link #signal}, which has one {@link #pass} run on the engine's
 * scanning threads, never two at a time; between passes it is a moment in the timing wheel and a few callbacks. What only
 * passes touch needs no lock.
 */
final class Poller implements WakeSignals.Listener {

    private static final Logger log = LoggerFactory.getLogger(Poller.class);
    private static final long BUSY_PAUSE = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long HELP_AFTER = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long HELP_AGAIN_AFTER = TimeUnit.SECONDS.toNanos(1);
    private static final long SILENCE_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    private final QueueSettings queue;
    private final EngineParts engine;
    private final TaskDestination destination;
    private final DestinationTraits traits;
    private final Handover handover;
    private final Executor workers;
    private final Acquirer acquirer;
    private final Capacity capacity;
    private final PendingAcquires pending;
    private final ScanSchedule agenda;
    private final Waiter idleWaiter = new Waiter();
    private final SignalledRounds rounds;
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final Deque<LeasedDelivery> ready = new ArrayDeque<>();
    private final Map<Thread, List<LeasedDelivery>> delivering = new ConcurrentHashMap<>();
    private final Runnable serverAnswers = this::serverAnswers;
    private TimingWheel.@Nullable Alarm alarm;
    private long pauseUntil = System.nanoTime();
    private long layoutRead = System.nanoTime();
    private long heldUpSince;
    private long mayAskForHelpAt = System.nanoTime();
    private boolean heldUp;
    private boolean suspectsPassedOver;
    private volatile @Nullable ScheduledFuture<?> renewal;
    private volatile QueueLayouts.Registration layoutChanges = () -> {};
    private volatile WakeSignals.Registration wakes = () -> {};
    private volatile ShardOwnership.Membership membership = ShardOwnership.Membership.OF_ALL;
    private volatile boolean stopping;
    private volatile boolean closed;

    /** @param workers runs as many batches at once as the settings have threads; must not queue */
    Poller(QueueDelivery delivery, EngineParts engine, Executor workers) {
        this.queue = delivery.queue();
        this.destination = delivery.destination();
        this.traits = destination.traits();
        this.handover = new Handover(delivery);
        this.workers = workers;
        this.engine = engine;
        this.rounds = SignalledRounds.on(
                "Queue '" + queue.name() + "': scanning", engine.threads()::scan, this::passOrPause, this::passed);
        this.acquirer = new Acquirer(delivery, engine, queue.trigger().lookAhead());
        this.capacity = new Capacity(
                queue.trigger().threads(), queue.trigger().batchSize(), traits.batchesAhead(), this::freed);
        this.pending = new PendingAcquires(capacity, engine.threads(), this::signal);
        this.agenda = new ScanSchedule(
                engine.layouts().of(queue.name()).span(), queue.trigger().backStop());
    }

    /** Scans from now on, until {@link #stop()} is called. */
    void start(WakeSignals wakeSignals, ShardOwnership ownership) {
        try {
            engine.threads().start();
            engine.settler().start();
            if (traits.renewsLeases()) {
                renewal = engine.renewer().watch(acquirer.active(), queue.lease());
            }
            layoutChanges = engine.layouts().listen(queue.name(), this::signal);
            membership = ownership.join(queue.name(), this::wakeAll);
            wakes = wakeSignals.listen(queue.name(), this);
        } catch (Throwable ex) {
            stop();
            close(Thread.currentThread());
            throw ex;
        }
        signal();
    }

    @Override
    public void wake(int shard) {
        if (owns(shard)) {
            agenda.wake(shard);
            signal();
        } else {
            agenda.hear(shard);
        }
    }

    /** Where that cannot be said, everything is scanned on time. */
    private boolean owns(int shard) {
        try {
            return membership.owns(shard);
        } catch (Throwable ex) {
            log.debug("Queue '{}': nobody knows who owns shard {}", queue.name(), shard, ex);
            return true;
        }
    }

    private boolean signalsArrive() {
        try {
            return wakes.arrive();
        } catch (Throwable ex) {
            log.debug("Queue '{}': nobody knows whether wake signals arrive", queue.name(), ex);
            return false;
        }
    }

    @Override
    public void wakeAll() {
        agenda.wakeAll();
        signal();
    }

    /** Reads the layout again; that it has changed is heard then. */
    @Override
    public void layoutChanged() {
        engine.layouts().refresh(queue.name());
    }

    @Override
    public void help(int shard) {
        agenda.wake(shard);
        signal();
    }

    /** Stops acquiring and releases what waits for its turn. Deliveries that run go on. */
    void stop() {
        stopping = true;
        closeQuietly(wakes);
        closeQuietly(layoutChanges);
        closeQuietly(membership);
        acquirer.active().all().forEach(LeasedDelivery::releaseUnlessBegun);
        signal();
    }

    private void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Throwable ex) {
            log.warn("Queue '{}': leaving the other processes failed: {}", queue.name(), ex.toString());
        }
    }

    /**
     * Waits until every delivery has ended and is settled. Call after {@link #stop()}.
     *
     * @param stopper who stops; what that thread itself delivers is not waited for, as it goes on only when this has ended
     */
    boolean awaitIdle(Thread stopper, Duration timeout) throws InterruptedException {
        List<LeasedDelivery> own = own(stopper);
        int workersAtWork = own.isEmpty() ? 0 : 1;
        return idleWaiter.awaitUntil(
                () -> rounds.isIdle() && pending.isEmpty() && capacity.isIdleBut(workersAtWork, unended(own)),
                timeout.toNanos());
    }

    private List<LeasedDelivery> own(Thread stopper) {
        return delivering.getOrDefault(stopper, List.of());
    }

    private static int unended(List<LeasedDelivery> deliveries) {
        return (int) deliveries.stream().filter(delivery -> !delivery.isEnded()).count();
    }

    /** Says that the workers are about to be interrupted: what fails from now on did not fail by itself. */
    void interrupting(Thread stopper) {
        activeBut(own(stopper)).forEach(LeasedDelivery::interrupted);
    }

    /** Gives back what has no outcome yet: due at once, though its delivery may still be under way. */
    void breakOff(Thread stopper) {
        activeBut(own(stopper)).forEach(delivery -> {
            if (!delivery.releaseUnlessBegun()) {
                delivery.breakOff("broken off by a shutdown");
            }
        });
    }

    private List<LeasedDelivery> activeBut(List<LeasedDelivery> own) {
        List<LeasedDelivery> active = new ArrayList<>(acquirer.active().all());
        active.removeAll(own);
        return active;
    }

    /** Ends renewing leases, once the stopper's own delivery has ended. To be called last. */
    void close(Thread stopper) {
        closed = true;
        engine.servers().forget(serverAnswers);
        if (!delivering.containsKey(stopper)) {
            endRenewal();
        }
    }

    private void endRenewal() {
        ScheduledFuture<?> current = renewal;
        if (current != null) {
            current.cancel(false);
        }
    }

    private void freed() {
        signal();
        if (stopping) {
            idleWaiter.signal();
        }
    }

    /** Has a pass run soon. Any thread; does not block. */
    private void signal() {
        rounds.signal();
    }

    private void passOrPause() {
        try {
            pass();
        } catch (Throwable ex) {
            Seam.tell(() -> log.error("Queue '{}': scanning failed and goes on after the back-stop", queue.name(), ex));
            pauseUntil = System.nanoTime() + backStopNanos();
            if (!Seam.run(log, "The next scan could not be planned and comes at once", () -> comeBackAt(pauseUntil))) {
                signal();
            }
        }
    }

    private void passed() {
        if (stopping) {
            idleWaiter.signal();
        }
    }

    private long backStopNanos() {
        return queue.trigger().backStop().toNanos();
    }

    private void pass() {
        pending.endAnswered(this::takeUp);
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            Seam.run(log, "An event could not be taken up", event);
        }
        dispatch();
        if (stopping) {
            return;
        }
        long now = System.nanoTime();
        pending.passOverdueOnes(now);
        leaveOutSilentServers(now);
        if (pauseUntil - now > 0) {
            comeBackAt(pauseUntil);
            return;
        }
        readLayoutUnlessTold(now);
        agenda.resize(engine.layouts().of(queue.name()).span());
        List<ScannedShard> due = agenda.due(now, signalsArrive());
        if (due.isEmpty()) {
            heldUp = false;
        } else if (!isHeldUp(due, now)) {
            scan(due, now);
        }
        if (!heldUp) {
            comeBackAt(agenda.nextScan(now, signalsArrive(), now + backStopNanos()));
        }
    }

    /** What is under lease there may be settled late, which must not hold up the shards of the others. */
    private void leaveOutSilentServers(long now) {
        boolean any = engine.servers().anySilent(now);
        capacity.leaveOut(any ? agenda.leased(shard -> serverOf(shard).isSilent(now)) : 0);
    }

    private ServerWatch serverOf(int shard) {
        return engine.servers().of(new Shard(queue.name(), shard));
    }

    /** A server that was silent answers: what failed or was put off there is tried at once. Any thread. */
    private void serverAnswers() {
        events.add(agenda::wakeFailed);
        signal();
    }

    /** Shards that were added are scanned by nobody who has not heard of them. */
    private void readLayoutUnlessTold(long now) {
        if (now - layoutRead >= backStopNanos() && !signalsArrive()) {
            layoutRead = now;
            Seam.call(() -> engine.layouts().refresh(queue.name()));
        }
    }

    private void callForHelp(int shard) {
        Seam.run(log, "The other processes could not be asked for help", () -> wakes.callForHelp(shard));
    }

    /** Whether nothing can be taken now. If that lasts, the other processes are asked to scan what is due here. */
    private boolean isHeldUp(List<ScannedShard> due, long now) {
        Duration unavailable = destination.unavailableFor();
        boolean available = unavailable.compareTo(Duration.ZERO) <= 0;
        if (available && capacity.free() > 0) {
            heldUp = false;
            return false;
        }
        if (!heldUp) {
            heldUp = true;
            heldUpSince = now;
        }
        long helpAt = later(heldUpSince + HELP_AFTER, mayAskForHelpAt);
        if (helpAt - now <= 0) {
            due.stream().map(ScannedShard::shard).filter(this::owns).forEach(this::callForHelp);
            mayAskForHelpAt = now + HELP_AGAIN_AFTER;
            helpAt = mayAskForHelpAt;
        }
        long askAgainAt = available ? helpAt : Math.min(now + unavailable.toNanos() - helpAt, 0) + helpAt;
        comeBackAt(earlier(askAgainAt, nextLate(now)));
        return true;
    }

    /** When a call that holds up others will be overdue, or its server silent. */
    private long nextLate(long now) {
        return earlier(pending.nextOverdue(now), engine.servers().nextSilence(now));
    }

    private static long earlier(long a, long b) {
        return (a - b <= 0) ? a : b;
    }

    private static long later(long a, long b) {
        return (a - b >= 0) ? a : b;
    }

    /**
     * Suspects are told apart by taking one at a time, so a destination that isolates them has one call under way that is not
     * overdue. The shards of a silent server are asked by one call, and nothing waits for that.
     */
    private void scan(List<ScannedShard> due, long now) {
        boolean oneAtATime = traits.isolatesSuspects();
        int left = due.size();
        for (ScannedShard watch : due) {
            int limit = oneAtATime ? capacity.free() : (capacity.free() + left - 1) / left;
            if (stopping) {
                return;
            }
            if (limit == 0 || (oneAtATime && pending.anyAwaited())) {
                comeBackAt(nextLate(now));
                return;
            }
            Pending scan = pending.prepare(watch, limit);
            if (!scan.enter()) {
                comeBackAt(now + BUSY_PAUSE);
                return;
            }
            try {
                begin(scan, oneAtATime, now);
            } catch (Throwable ex) {
                scan.answered(null, ex);
                throw ex;
            }
            left--;
        }
    }

    private void begin(Pending scan, boolean oneAtATime, long now) {
        ScannedShard watch = scan.watch();
        boolean isTaken = pending.anyTakesSuspect();
        if (!scan.ask(serverOf(watch.shard()), now, serverAnswers)) {
            scan.leave();
            comeBackAt(now + SILENCE_PAUSE);
            return;
        }
        suspectsPassedOver |= isTaken;
        scan.begin(now, oneAtATime && !isTaken);
        Shard shard = new Shard(queue.name(), watch.shard());
        try {
            acquirer.acquire(
                    shard, scan.limit(), scan.takesSuspect(), () -> taskDone(watch), this::wakeAll, scan::answered);
        } catch (Throwable ex) {
            scan.answered(null, ex); // this shard failed, the others go on
        }
    }

    private void taskDone(ScannedShard watch) {
        watch.addLeased(-1);
        capacity.taskDone();
    }

    private void takeUp(Pending scan) {
        try {
            answered(scan, scan.acquired(), scan.error());
        } catch (Throwable ex) {
            Seam.tell(() -> log.error("Queue '{}': an answer could not be taken up", queue.name(), ex));
        }
    }

    private void answered(Pending scan, @Nullable Acquired acquired, @Nullable Throwable error) {
        ScannedShard watch = scan.watch();
        List<LeasedDelivery> deliveries = (acquired == null) ? List.of() : acquired.deliveries();
        int room = scan.isAwaited() ? deliveries.size() : Math.min(deliveries.size(), capacity.room());
        watch.addLeased(deliveries.size());
        capacity.take(0, deliveries.size());
        try {
            if (acquired != null) {
                acquired(scan, acquired);
            } else {
                if (!stopping) {
                    scan.call().onNextAnswer(serverAnswers);
                }
                failed(watch, error);
            }
            if (scan.takesSuspect() && suspectsPassedOver) {
                suspectsPassedOver = false;
                agenda.wakeAll();
            }
        } catch (Throwable ex) {
            watch.scanFailed(System.nanoTime(), queue.trigger().backStop());
            throw ex;
        } finally {
            takeOver(deliveries, room);
        }
        if (acquired != null) {
            engine.quarantine().tell(queue.name(), acquired.quarantined());
        }
    }

    private void failed(ScannedShard watch, @Nullable Throwable error) {
        ErrorPause errorPause = watch.errorPause();
        Duration pause = errorPause.next();
        if (errorPause.isWorthAWarning()) {
            Throwable cause =
                    (error instanceof CompletionException && error.getCause() != null) ? error.getCause() : error;
            log.warn(
                    "Queue '{}', shard {}: cannot acquire tasks, goes on trying: {}",
                    queue.name(),
                    watch.shard(),
                    (cause == null) ? "no answer" : cause.getMessage());
        }
        watch.scanFailed(System.nanoTime(), pause);
    }

    private void acquired(Pending scan, Acquired acquired) {
        ScannedShard watch = scan.watch();
        if (watch.errorPause().reset()) {
            log.info("Queue '{}', shard {}: acquiring works again", queue.name(), watch.shard());
        }
        watch.scanned(acquired.acquisition(), System.nanoTime(), owns(watch.shard()), signalsArrive());
        if (scan.call().isProbe()) {
            watch.wake(); // it has passed over suspects
        }
    }

    /** Takes over as many as there is room for and gives back the others; all of them if anything is thrown. */
    private void takeOver(List<LeasedDelivery> deliveries, int room) {
        try {
            if (queue.trigger().lookAhead().isZero()) {
                ready.addAll(deliveries.subList(0, room));
            } else {
                holdBack(deliveries.subList(0, room));
            }
            capacity.putOff(deliveries.size() - room);
            deliveries.subList(room, deliveries.size()).forEach(LeasedDelivery::releaseUnlessBegun);
        } catch (Throwable ex) {
            capacity.waiting(ready.size());
            deliveries.forEach(LeasedDelivery::releaseUnlessBegun);
            throw ex;
        }
    }

    /** Tasks that are not due yet wait in the timing wheel, those of one moment together. */
    private void holdBack(List<LeasedDelivery> deliveries) {
        long now = System.nanoTime();
        int from = 0;
        while (from < deliveries.size()) {
            long dueNanos = deliveries.get(from).dueNanoTime();
            int to = from + 1;
            while (to < deliveries.size() && deliveries.get(to).dueNanoTime() == dueNanos) {
                to++;
            }
            List<LeasedDelivery> together = deliveries.subList(from, to);
            if (dueNanos - now <= 0) {
                ready.addAll(together);
            } else {
                capacity.putOff(together.size());
                bringBackAt(dueNanos, together);
            }
            from = to;
        }
    }

    /** Those for which no moment can be set are due again at once: somebody else may have it. */
    private void bringBackAt(long dueNanos, List<LeasedDelivery> together) {
        try {
            engine.threads().wheel().at(dueNanos, () -> {
                events.add(() -> {
                    capacity.bringBack(together.size());
                    ready.addAll(together);
                });
                signal();
            });
        } catch (Throwable ex) {
            Seam.tell(() -> log.error("Queue '{}': tasks that are due soon are given back", queue.name(), ex));
            together.forEach(LeasedDelivery::releaseUnlessBegun);
        }
    }

    /** Hands what is ready to idle workers, a batch to each. */
    private void dispatch() {
        if (stopping) {
            ready.forEach(LeasedDelivery::releaseUnlessBegun);
            capacity.putOff(ready.size());
            ready.clear();
        }
        while (!ready.isEmpty() && capacity.idleWorkers() > 0) {
            int size = share(ready.size());
            List<LeasedDelivery> batch = new ArrayList<>(size);
            while (batch.size() < size) {
                batch.add(ready.remove());
            }
            start(batch);
        }
    }

    /**
     * How many deliveries a worker takes. Where they are delivered one after the other, none is to wait behind another while
     * a worker is idle.
     */
    private int share(int deliveries) {
        int most = Math.min(deliveries, queue.trigger().batchSize());
        if (!traits.beginsEach()) {
            return most;
        }
        int idle = capacity.idleWorkers();
        return Math.min(most, (deliveries + idle - 1) / idle);
    }

    private void start(List<LeasedDelivery> batch) {
        capacity.startWorker(batch.size());
        try {
            workers.execute(() -> deliver(batch));
        } catch (RejectedExecutionException ex) {
            capacity.endWorker();
            batch.forEach(LeasedDelivery::release);
        } catch (Throwable ex) {
            // no thread could be made
            capacity.endWorker();
            batch.forEach(LeasedDelivery::release);
            throw ex;
        }
    }

    private void deliver(List<LeasedDelivery> batch) {
        try {
            delivering.put(Thread.currentThread(), batch);
            handover.deliver(batch);
        } catch (Throwable ex) {
            Seam.tell(() -> log.error(
                    "Queue '{}': the destination threw; the deliveries without outcome have failed", queue.name(), ex));
            String reason = "destination threw " + ex.getClass().getName();
            batch.forEach(delivery ->
                    Seam.run(log, "An outcome could not be told", () -> failUnlessReleased(delivery, reason)));
        } finally {
            delivering.remove(Thread.currentThread());
            capacity.endWorker();
            if (closed && delivering.isEmpty()) {
                endRenewal();
            }
        }
    }

    private static void failUnlessReleased(LeasedDelivery delivery, String reason) {
        if (!delivery.releaseUnlessBegun()) {
            delivery.fail(reason, true);
        }
    }

    /** Has a pass run then; an earlier one that is already planned will do as well, and plan again. */
    private void comeBackAt(long nanoTime) {
        TimingWheel.Alarm current = alarm;
        if (current != null && current.nanoTime() - System.nanoTime() > 0) {
            if (current.nanoTime() - nanoTime <= 0) {
                return;
            }
            current.cancel();
        }
        alarm = engine.threads().wheel().at(nanoTime, this::signal);
    }
}
