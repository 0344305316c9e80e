// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rates;

import io.delayqueue.TaskStoreException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.engine.DeliveryEvents.Ending;
import io.delayqueue.internal.store.RateCounts;
import io.delayqueue.internal.store.RateStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts in memory what this process does with each queue, and every few seconds adds what is new to the minutes that all
 * processes share: one call for each queue of which anything was counted, and none for the others. Counting never waits. What
 * Redis did not take is added with the next call, for a minute at most; what it may have taken is not added again. Neither is
 * logged above DEBUG.
 */
public final class RatePublisher implements DeliveryCounter, AutoCloseable {

    /** How often a queue is told of at most. */
    public static final Duration EVERY = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(RatePublisher.class);
    /** Queues are told of in turn, so that many do not all write at once. */
    private static final int TURNS = 5;

    private static final long OLDEST_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Duration GOODBYE = Duration.ofMillis(500);

    private final RateStore store;
    private final Duration kept;
    private final Duration every;
    private final Map<String, Queue> queues = new LinkedHashMap<>();
    private final Scheduler scheduler;
    private Scheduler.@Nullable Scheduled turns;
    private int turn;

    /**
     * @param names the queues
     * @param kept for how long minutes are kept
     * @param every how often a queue is told of at most
     */
    public RatePublisher(RateStore store, Set<String> names, Duration kept, Duration every, Scheduler scheduler) {
        this.scheduler = scheduler;
        this.store = store;
        this.kept = kept;
        this.every = every;
        names.forEach(name -> queues.put(name, new Queue(name)));
    }

    /** Tells from now on, if it does not yet. */
    public synchronized void start() {
        if (turns == null && !queues.isEmpty()) {
            Duration between = every.dividedBy(TURNS);
            turns = scheduler.every(between, between, this::tell);
        }
    }

    @Override
    public void begun(Delivery delivery, String destination, boolean first) {
        Queue queue = queues.get(delivery.queue());
        if (first && queue != null) {
            queue.counter().begun(delivery.lateness());
        }
    }

    @Override
    public void ended(Delivery delivery, String destination, Ending ending, boolean leaseLost) {
        Queue queue = queues.get(delivery.queue());
        if (queue != null) {
            queue.counter().ended(ending);
        }
    }

    private void tell() {
        turn = (turn + 1) % TURNS;
        int number = 0;
        for (Queue queue : queues.values()) {
            if (number++ % TURNS == turn) {
                Seam.run(log, "The rates of a queue were not told", queue::tell);
            }
        }
    }

    /** Tells what is left, and waits a little for the answers. */
    @Override
    public synchronized void close() {
        if (turns == null) {
            return;
        }
        turns.cancel();
        List<CompletableFuture<?>> last = new ArrayList<>();
        queues.values().forEach(queue -> Seam.run(log, "The last rates were not told", () -> last.add(queue.tell())));
        try {
            // not completeOnTimeout, whose thread would keep this application's class loader for the life of the JVM
            CompletableFuture.allOf(last.toArray(CompletableFuture[]::new))
                    .get(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException ex) {
            log.debug("The last rates were not told", ex);
        }
    }

    /** A queue, told of by one call at a time. */
    private final class Queue {

        private final String name;
        /** Made with the first delivery, or when a task was stored. */
        private volatile @Nullable QueueCounter counter;

        private boolean telling;
        private @Nullable Long failingSince;

        Queue(String name) {
            this.name = name;
        }

        QueueCounter counter() {
            QueueCounter known = counter;
            return (known != null) ? known : make();
        }

        private synchronized QueueCounter make() {
            QueueCounter known = counter;
            if (known == null) {
                known = new QueueCounter(() -> store.scheduled(name));
                counter = known;
            }
            return known;
        }

        synchronized CompletableFuture<?> tell() {
            if (telling || (counter == null && store.scheduled(name) == 0)) {
                return CompletableFuture.completedFuture(null);
            }
            RateCounts counts = counter().untold();
            if (counts.isNothing()) {
                return CompletableFuture.completedFuture(null);
            }
            telling = true;
            return Seam.call(() -> store.add(name, kept, counts))
                    .whenComplete((minute, error) -> answered(counts, error));
        }

        private synchronized void answered(RateCounts counts, @Nullable Throwable error) {
            telling = false;
            if (error == null || mayHaveRun(Causes.of(error)) || isOld()) {
                counter().told(counts);
                failingSince = null;
            }
            if (error != null) {
                log.debug("Queue '{}': its rates were not told", name, error);
            }
        }

        private static boolean mayHaveRun(Throwable error) {
            return !(error instanceof TaskStoreException refused) || refused.mayHaveBeenApplied();
        }

        private boolean isOld() {
            long now = System.nanoTime();
            Long since = failingSince;
            if (since == null) {
                failingSince = now;
                return false;
            }
            return now - since > OLDEST_NANOS;
        }
    }
}
