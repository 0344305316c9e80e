// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.faults.HandlerApplication.Kind;
import io.delayqueue.faults.HandlerApplication.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Schedules 300 tasks a second, due within three seconds, cancels a tenth and reschedules a tenth at any moment until
 * they are due, and remembers what it was told.
 */
final class ChangingLoad {

    private static final int PER_SECOND = 300;

    /** When each task that is to be delivered is due, as it was last told. */
    final Map<String, Instant> dueAt = new ConcurrentHashMap<>();

    final Set<String> cancelled = ConcurrentHashMap.newKeySet();
    final Set<String> rescheduled = ConcurrentHashMap.newKeySet();
    /** Cancelled or rescheduled when a delivery had begun: may be delivered once, twice or not at all. */
    final Set<String> inFlight = ConcurrentHashMap.newKeySet();

    /** When it was said of a task that it is not there: it must have been delivered by then. */
    final Map<String, Long> notFoundAt = new ConcurrentHashMap<>();

    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final DelayQueueTemplate template;
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
    private final AtomicInteger next = new AtomicInteger();

    ChangingLoad(DelayQueueTemplate template) {
        this.template = template;
        timer.scheduleAtFixedRate(noting(this::scheduleOne), 0, 1_000_000 / PER_SECOND, TimeUnit.MICROSECONDS);
    }

    /** Schedules no more, and waits for what is still to be cancelled and rescheduled. */
    /** What comes after the stop leaves its task as it is. */
    private void unlessStopped(Runnable change, long later) {
        try {
            timer.schedule(noting(change), later, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ex) {
            // stopped
            return;
        }
    }

    void stop() throws InterruptedException {
        timer.shutdown();
        if (!timer.awaitTermination(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the load does not end");
        }
    }

    private void scheduleOne() {
        int number = next.getAndIncrement();
        String id = "changing-" + number;
        long delay = ThreadLocalRandom.current().nextLong(200, 3000);
        Instant due = Instant.now().plusMillis(delay);
        dueAt.put(id, due);
        template.schedule(ScheduleRequest.to(HandlerApplication.QUEUE)
                .id(id)
                .payload(new Work(Kind.SUCCEED, 0))
                .dueAt(due)
                .build());
        long later = ThreadLocalRandom.current().nextLong(delay);
        if (number % 10 == 3) {
            unlessStopped(() -> cancel(id), later);
        } else if (number % 10 == 7) {
            unlessStopped(() -> reschedule(id), later);
        }
    }

    private void cancel(String id) {
        switch (template.cancel(HandlerApplication.QUEUE, id)) {
            case CANCELLED -> {
                cancelled.add(id);
                dueAt.remove(id);
            }
            case IN_FLIGHT -> inFlight.add(id);
            case NOT_FOUND -> notFoundAt.put(id, System.currentTimeMillis());
        }
    }

    private void reschedule(String id) {
        Instant due = Instant.ofEpochMilli(System.currentTimeMillis())
                .plus(Duration.ofMillis(ThreadLocalRandom.current().nextLong(100, 3000)));
        switch (template.reschedule(HandlerApplication.QUEUE, id, due)) {
            case RESCHEDULED -> {
                rescheduled.add(id);
                dueAt.put(id, due);
            }
            case IN_FLIGHT -> inFlight.add(id);
            case NOT_FOUND -> notFoundAt.put(id, System.currentTimeMillis());
        }
    }

    private Runnable noting(Runnable call) {
        return () -> {
            try {
                call.run();
            } catch (RuntimeException ex) {
                errors.add(ex);
            }
        };
    }
}
