// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.DeliveryCounter;
import io.delayqueue.internal.store.RateStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the deliveries of this process in memory and adds them to the shared counts per minute and hour in Redis, five
 * seconds after the first new count. Counting never blocks. Counts that Redis does not accept are lost.
 */
public final class MinuteRates implements DeliveryCounter, AutoCloseable {

    public static final String DELIVERED = "delivered";
    public static final String FAILED = "failed";
    public static final String DEAD = "dead";

    private static final Logger log = LoggerFactory.getLogger(MinuteRates.class);

    private static final Duration DELAY = Duration.ofSeconds(5);
    private static final Duration GOODBYE = Duration.ofMillis(500);

    private final RateStore store;
    private final Scheduler scheduler;
    private final Duration delay;
    private final Map<String, Map<String, LongAdder>> queues = new ConcurrentHashMap<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    public MinuteRates(RateStore store, Scheduler scheduler) {
        this(store, scheduler, DELAY);
    }

    MinuteRates(RateStore store, Scheduler scheduler, Duration delay) {
        this.store = store;
        this.scheduler = scheduler;
        this.delay = delay;
    }

    @Override
    public void begun(Delivery delivery, String destination, boolean first) {
        if (first) {
            count(delivery, String.valueOf(LatenessBuckets.of(delivery.lateness())));
        }
    }

    @Override
    public void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {
        switch (ending) {
            case DELIVERED -> count(delivery, DELIVERED);
            case FAILED -> count(delivery, FAILED);
            case DEAD -> count(delivery, DEAD);
            case POSTPONED, RELEASED -> {}
        }
    }

    private void count(Delivery delivery, String name) {
        queues.computeIfAbsent(delivery.queue(), queue -> new ConcurrentHashMap<>())
                .computeIfAbsent(name, unknown -> new LongAdder())
                .increment();
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            try {
                scheduler.after(delay, this::publish);
            } catch (RejectedExecutionException ex) {
                log.debug("The scheduler was closed; close() adds the last counts");
            } catch (RuntimeException | Error ex) {
                scheduled.set(false);
                throw ex;
            }
        }
    }

    private CompletableFuture<?> publish() {
        scheduled.set(false);
        List<CompletableFuture<?>> calls = new ArrayList<>();
        queues.forEach((queue, counters) -> {
            Map<String, Long> counts = new TreeMap<>();
            counters.forEach((name, counter) -> counts.put(name, counter.sumThenReset()));
            counts.values().removeIf(count -> count == 0);
            if (!counts.isEmpty()) {
                calls.add(Guard.call(() -> store.add(queue, counts)).exceptionally(error -> {
                    log.debug("Queue '{}': could not update its minute rates", queue, error);
                    return null;
                }));
            }
        });
        return CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new));
    }

    /** Adds the last counts, and waits up to half a second for the replies. */
    @Override
    public void close() {
        try {
            // Do not use completeOnTimeout: its thread would keep this application's class loader until the JVM exits.
            publish().get(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException ex) {
            log.debug("Could not add the last minute rates", ex);
        }
    }
}
