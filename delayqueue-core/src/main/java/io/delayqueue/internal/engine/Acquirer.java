// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.admin.KeyLimits;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDeath;
import io.delayqueue.delivery.TaskDied;
import io.delayqueue.delivery.TaskExpired;
import io.delayqueue.delivery.TaskQuarantined;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.engine.LeasedDelivery.AcquiredAt;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.input.UnicodeText;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Expiry;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Acquires due tasks of a queue and wraps them in deliveries whose outcomes are settled in the store. */
final class Acquirer {

    private static final Logger log = LoggerFactory.getLogger(Acquirer.class);
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final int LONGEST_ID = 4096;

    private final QueueSettings queue;
    private final EngineParts engine;
    private final boolean isolatesSuspects;
    private final boolean keepsDead;
    private final String destination;
    private final boolean reportsAttempts;
    private final Duration patience;
    private final DeliveryTiming timing;
    private final LimitedKeys keys = new LimitedKeys();
    private volatile @Nullable QueueRate rate;
    private volatile LimitSettings limits;
    private final Set<LeasedDelivery> active = ConcurrentHashMap.newKeySet();

    Acquirer(QueueDelivery delivery, EngineParts engine) {
        this.queue = delivery.queue();
        this.engine = engine;
        this.isolatesSuspects = delivery.destination().deliversOneByOne();
        this.keepsDead = queue.dead().keep() == DeadSettings.Keep.ALL;
        this.destination = delivery.destination().kind();
        this.reportsAttempts = LibraryDestination.reportsAttempts(delivery.destination());
        this.patience = queue.lease().multipliedBy(2);
        this.timing = new DeliveryTiming(queue, engine.hooks().events());
        this.limits = queue.limits();
        this.rate = rateOf(limits);
    }

    private @Nullable QueueRate rateOf(LimitSettings settings) {
        Rate most = settings.rate();
        return most == null ? null : new QueueRate(queue.name(), engine.store().shards(), most);
    }

    private void applyLimits() {
        LimitSettings lowest = engine.limits().of(queue);
        if (!lowest.equals(limits)) {
            limits = lowest;
            rate = rateOf(lowest);
        }
    }

    /**
     * Applies the lowest limits of all processes from now on. Returns the server that the next acquire calls before the
     * shard's server; {@code null} if it calls only the shard's server.
     */
    @Nullable
    ServerWatch firstServer(Shard shard) {
        applyLimits();
        ServerWatch first = (rate == null) ? null : engine.servers().ofRate(queue.name());
        return first == engine.servers().of(shard) ? null : first;
    }

    /** Returns the deliveries that have no outcome yet. The set changes with them. */
    Set<LeasedDelivery> active() {
        return active;
    }

    /**
     * Acquires tasks of a shard. Call {@link #firstServer} before.
     *
     * @param mayTakeSuspect whether this acquire may return a suspect, because no other current one may
     * @param taskDone run once for each returned delivery, when its lease has ended
     * @param suspectDone run when the delivery of a suspect has ended, so that the next suspect may be acquired
     * @param sending run before the call to the shard; not run if the rate of the queue allows no task
     * @param answered called once, on a thread that must not block, with the result or the failure (a {@link
     *     io.delayqueue.TaskStoreException} if the store did not answer). If it cannot be called, this method throws
     *     and no delivery is active: the leases of a later reply expire.
     */
    void acquire(
            Shard shard,
            int limit,
            boolean mayTakeSuspect,
            Runnable taskDone,
            Runnable suspectDone,
            Runnable sending,
            BiConsumer<@Nullable Acquired, @Nullable Throwable> answered) {
        long before = System.nanoTime();
        DeliveryOutcomes outcomes = new ToEngine(taskDone, suspectDone);
        // This is one step, because deliveries must not be created unless the caller receives them.
        acquire(shard, request(limit, mayTakeSuspect), sending).whenComplete((acquisition, error) -> {
            Acquired acquired = null;
            Throwable failure = error;
            try {
                acquired = (acquisition == null) ? null : acquired(acquisition, before, outcomes);
            } catch (Throwable ex) {
                failure = ex;
            }
            answered.accept(acquired, failure);
        });
    }

    private CompletableFuture<Acquisition> acquire(Shard shard, AcquireRequest request, Runnable sending) {
        QueueRate limit = rate;
        if (limit == null || engine.store().clock().standstill() != null) {
            return acquireNow(shard, request, sending);
        }
        engine.store().leases().releaseLost(shard); // The rate may allow no acquire before the leases expire.
        return limit.acquire(shard, request, granted -> acquireNow(shard, granted, sending));
    }

    private CompletableFuture<Acquisition> acquireNow(Shard shard, AcquireRequest request, Runnable sending) {
        sending.run();
        KeyLimits ofKeys = LimitedKeys.of(limits);
        return keys.areLimitedIn(shard) || !ofKeys.equals(KeyLimits.NONE)
                ? acquireLimited(shard, request, ofKeys)
                : engine.store()
                        .leases()
                        .acquire(shard, request)
                        .thenCompose(acquisition -> acquisition.limited()
                                ? acquireLimited(shard, request, ofKeys)
                                : CompletableFuture.completedFuture(acquisition));
    }

    private CompletableFuture<Acquisition> acquireLimited(Shard shard, AcquireRequest request, KeyLimits ofKeys) {
        return engine.store().leases().acquireLimited(shard, request, ofKeys).thenApply(acquisition -> {
            keys.acquired(acquisition);
            return acquisition;
        });
    }

    private Acquired acquired(Acquisition acquisition, long before, DeliveryOutcomes outcomes) {
        Shard shard = acquisition.shard();
        long leaseEnd = before + queue.lease().toNanos();
        Guard.tell(() -> report(acquisition));
        if (acquisition.heldBack() > 0) {
            engine.hooks().events().report(counter -> counter.heldBack(queue.name(), acquisition.heldBack()));
        }
        acquisition.dead().forEach((id, reason) -> {
            engine.deaths().tell(death(id, reason));
            if (reason.equals(Expiry.EXPIRED)) {
                timing.countExpired();
            }
        });
        AcquiredAt acquiredAt = new AcquiredAt(
                acquisition.serverMicros(), System.nanoTime(), engine.store().clock());
        List<LeasedDelivery> deliveries = new ArrayList<>(acquisition.tasks().size());
        int quarantined = unreadable(acquisition);
        for (AcquiredTask task : acquisition.tasks()) {
            String unusable = whyUnusable(task);
            if (unusable != null) {
                Settlement dead = Settlement.quarantined(task.id(), acquisition.token(), false, unusable);
                engine.settler(shard).settle(dead, patience, () -> {}, death(task.id(), unusable), false);
                quarantined++;
            } else {
                Lease lease = new Lease(acquisition.token(), leaseEnd);
                deliveries.add(new LeasedDelivery(shard, task, lease, acquiredAt, queue, outcomes));
            }
        }
        if (quarantined > 0) {
            countQuarantined(quarantined);
        }
        // This comes last: if an earlier step throws, no delivery may be active, because its lease would be renewed for
        // ever.
        Acquired acquired = new Acquired(deliveries, acquisition);
        try {
            active.addAll(deliveries);
        } catch (Throwable ex) {
            deliveries.forEach(active::remove);
            throw ex;
        }
        return acquired;
    }

    private void countQuarantined(int tasks) {
        engine.hooks().events().report(counter -> counter.quarantined(queue.name(), tasks));
    }

    private TaskDeath death(String id, String reason) {
        if (reason.equals(Expiry.EXPIRED)) {
            return new TaskExpired(queue.name(), id, reason);
        }
        return reason.equals(Acquisition.LEASE_EXPIRED)
                ? new TaskDied(queue.name(), id, reason)
                : new TaskQuarantined(queue.name(), id, reason);
    }

    /** Returns why a task that another program wrote cannot be delivered; null if it can. */
    private static @Nullable String whyUnusable(AcquiredTask task) {
        String id = task.id();
        if (id.isBlank() || id.length() > LONGEST_ID || !UnicodeText.isLine(id)) {
            return "id unusable";
        }
        return task.content() == null ? "envelope unreadable" : null;
    }

    private static int unreadable(Acquisition acquisition) {
        return (int) acquisition.dead().values().stream()
                .filter(Acquisition::isUnreadable)
                .count();
    }

    private AcquireRequest request(int limit, boolean mayTakeSuspect) {
        boolean anySuspect =
                isolatesSuspects && mayTakeSuspect && active.stream().anyMatch(LeasedDelivery::isSuspect);
        int maxSuspects = !isolatesSuspects ? limit : (anySuspect || !mayTakeSuspect) ? 0 : 1;
        return new AcquireRequest(
                limit,
                queue.lease(),
                queue.maxLeaseExpiries(),
                MAX_BYTES,
                maxSuspects,
                catchUpPerSecond(),
                keepsDead,
                timing.expiry());
    }

    private double catchUpPerSecond() {
        Rate most = limits.rateWhenOverdue();
        return (most == null)
                ? 0
                : most.perSecond() / engine.shardings().of(queue.name()).span();
    }

    private void report(Acquisition acquisition) {
        Shard shard = acquisition.shard();
        acquisition.dead().forEach((id, reason) -> report(shard, id, reason));
        if (!acquisition.newer().isEmpty()) {
            log.warn(
                    "Queue '{}', shard {}: skipping tasks that a newer version of this library stored, "
                            + "such as '{}'; they wait for a process that runs that version",
                    shard.queue(),
                    shard.index(),
                    shown(acquisition.newer().get(0)));
        }
    }

    private void report(Shard shard, String id, String reason) {
        boolean late = reason.equals(Expiry.EXPIRED);
        boolean kept = late ? timing.expiry().kept() : keepsDead || Acquisition.isUnreadable(reason);
        log.atLevel(late ? Level.DEBUG : Level.ERROR)
                .log(
                        "Queue '{}', shard {}: task '{}' {}: {}",
                        shard.queue(),
                        shard.index(),
                        shown(id),
                        kept ? "kept as dead" : "is dead and deleted",
                        reason);
    }

    /** Formats an id for a message. Another program may have written arbitrary bytes. */
    private static String shown(String id) {
        return PrintableText.line(id, 256);
    }

    private final class ToEngine implements DeliveryOutcomes {

        private final Runnable taskDone;
        private final Runnable suspectDone;

        ToEngine(Runnable taskDone, Runnable suspectDone) {
            this.taskDone = taskDone;
            this.suspectDone = suspectDone;
        }

        @Override
        public void settled(LeasedDelivery delivery, Settlement settlement, @Nullable Duration closesKeyFor) {
            ended(delivery);
            Settlement end = keepsDead ? settlement : settlement.discarding();
            ShardSettler settler = engine.settler(delivery.source());
            TaskDeath death = end.isDeath() ? death(delivery, end) : null;
            if (death instanceof TaskQuarantined) {
                countQuarantined(1);
            }
            boolean logged = delivery.isExpired() || isLogged(delivery);
            Runnable settling = () -> orDone(() -> settler.settle(end, patience, taskDone, death, logged));
            if (closesKeyFor == null) {
                settling.run();
            } else {
                // The end of the lease could free another task of the key before the key is closed.
                orDone(() -> keys.close(
                                engine.store().shards(),
                                engine.shardings().of(queue.name()),
                                delivery.source(),
                                delivery.id(),
                                closesKeyFor)
                        .whenComplete((closed, error) -> settling.run()));
            }
        }

        private TaskDeath death(LeasedDelivery delivery, Settlement end) {
            if (end.verb() == Settlement.Verb.QUARANTINE) {
                return new TaskQuarantined(queue.name(), end.id(), end.reason());
            }
            return delivery.isExpired()
                    ? new TaskExpired(queue.name(), end.id(), end.reason())
                    : new TaskDied(queue.name(), end.id(), end.reason());
        }

        @Override
        public boolean isInTime(LeasedDelivery delivery) {
            return timing.admits(delivery);
        }

        @Override
        public Duration slack(LeasedDelivery delivery, Duration most) {
            return timing.slack(delivery, most);
        }

        @Override
        public void begun(LeasedDelivery delivery) {
            if (!reportsAttempts) {
                engine.hooks().events().begun(delivery, destination);
            }
        }

        @Override
        public void ended(LeasedDelivery delivery, Outcome.Kind ending, boolean leaseLost) {
            engine.hooks().events().ended(delivery, destination, ending, leaseLost);
        }

        @Override
        public void endedUnstarted(LeasedDelivery delivery, Outcome.Kind ending) {
            if (ending == Outcome.Kind.FAILED || ending == Outcome.Kind.DEAD) {
                engine.hooks().events().begun(delivery, destination);
                ended(delivery, ending, false);
            } else if (ending == Outcome.Kind.POSTPONED) {
                engine.hooks().events().putOff(delivery);
            }
        }

        /** Settles a lease. If settling throws, the lease expires later, but its capacity is free at once. */
        private void orDone(Runnable settling) {
            if (!Guard.run(log, "Could not end a lease; the lease will expire", settling)) {
                taskDone.run();
            }
        }

        @Override
        public boolean renew(LeasedDelivery delivery, Duration atLeast) {
            return engine.renewer().renew(delivery, atLeast);
        }

        /**
         * Returns whether the destination has logged the failure. Destinations do not log deliveries that a stop
         * interrupts, or that could not start.
         */
        private boolean isLogged(LeasedDelivery delivery) {
            return reportsAttempts && delivery.hasBegun() && !delivery.isInterrupted();
        }

        private void ended(LeasedDelivery delivery) {
            if (active.remove(delivery) && delivery.isSuspect() && isolatesSuspects) {
                suspectDone.run();
            }
        }
    }

    /**
     * The result of one acquire.
     *
     * @param deliveries the deliveries for the destination
     * @param acquisition the store's answer
     */
    record Acquired(List<LeasedDelivery> deliveries, Acquisition acquisition) {}
}
