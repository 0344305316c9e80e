// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.DeliveryCounter;
import io.delayqueue.internal.engine.ProcessLoad;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.NotedQueue;
import io.delayqueue.internal.store.QueueNoteStore;
import io.delayqueue.internal.store.TaskStore;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a report to Redis every 30 seconds about the deliveries of this process, and reads the reports of all
 * processes.
 */
public final class Instances implements DeliveryCounter, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Instances.class);

    private static final Duration PERIOD = Duration.ofSeconds(30);
    private static final int LONGEST = 100;
    private static final int MOST_QUEUES = 200;

    private final TaskStore store;
    private final BoundedWait wait;
    private final BackgroundWorker worker;
    private final String process;
    /** Distinguishes processes with the same name. */
    private final String start = UUID.randomUUID().toString();

    private final String version;
    private final Supplier<ProcessLoad> load;
    private final Duration period;
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private long endedBefore;
    private Instant notedAt = Instant.now();
    private boolean hasRead;

    /**
     * @param version version of the application; empty if unknown
     * @param load what this process delivers at the moment
     */
    public Instances(TaskStore store, Scheduler scheduler, String version, Supplier<ProcessLoad> load) {
        this(store, scheduler, ProcessName.OWN, version, load, PERIOD);
    }

    Instances(
            TaskStore store,
            Scheduler scheduler,
            String process,
            String version,
            Supplier<ProcessLoad> load,
            Duration period) {
        this.store = store;
        this.wait = new BoundedWait(store.callTimeout());
        this.worker = scheduler.worker();
        this.process = PrintableText.of(process, LONGEST).replace(' ', '_');
        this.version = PrintableText.of(version, LONGEST);
        this.load = load;
        this.period = period;
    }

    /** Starts the reports of this process. */
    public void announce() {
        worker.every(period.dividedBy(3), period, this::note);
    }

    @Override
    public void begun(Delivery delivery, String destination, boolean first) {
        begun.increment();
    }

    @Override
    public void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {
        ended.increment();
    }

    private void note() {
        try {
            ProcessLoad now = load.get();
            if (!now.queues().isEmpty()) {
                String text = StoredJson.text(own(now));
                notes(text, List.of(new NotedQueue(process, true, start, text, true)));
                if (!hasRead) {
                    // Reading deletes the reports of processes that no longer exist.
                    notes(process, List.of());
                    hasRead = true;
                }
            }
        } catch (RuntimeException ex) {
            log.debug("Could not note this process", ex);
        }
    }

    private InstanceView own(ProcessLoad load) {
        long endedNow = ended.sum();
        Instant now = Instant.now();
        long millis = Math.max(1, Duration.between(notedAt, now).toMillis());
        long perMinute = Math.round((endedNow - endedBefore) * 60_000.0 / millis);
        endedBefore = endedNow;
        notedAt = now;
        return new InstanceView(
                process,
                version,
                Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()),
                now,
                load.queues().stream().sorted().limit(MOST_QUEUES).toList(),
                Math.max(0, begun.sum() - endedNow),
                perMinute,
                load.workers(),
                load.busy());
    }

    /** Returns the processes that have recently reported a readable queue, sorted by name. */
    List<InstanceView> all(Predicate<String> isReadable) {
        return notes(process, List.of()).stream()
                .filter(NotedQueue::alive)
                .map(noted -> StoredJson.parse(noted.process(), InstanceView.class))
                .filter(Objects::nonNull)
                .map(instance -> readable(instance, isReadable))
                .filter(instance -> !instance.queues().isEmpty())
                .sorted(Comparator.comparing(InstanceView::process))
                .toList();
    }

    private static InstanceView readable(InstanceView all, Predicate<String> isReadable) {
        List<String> queues = all.queues().stream().filter(isReadable).toList();
        boolean isWhole = queues.size() == all.queues().size();
        return new InstanceView(
                all.process(),
                all.version(),
                all.since(),
                all.notedAt(),
                queues,
                isWhole ? all.inProgress() : null,
                isWhole ? all.perMinute() : null,
                isWhole ? all.workers() : null,
                isWhole ? all.busy() : null);
    }

    private List<NotedQueue> notes(String by, List<NotedQueue> own) {
        Duration silence = period.multipliedBy(5).dividedBy(2);
        return wait.answer(
                store.queueNotes().note(by, QueueNoteStore.Kind.INSTANCES, own, silence), "Notes of processes");
    }

    @Override
    public void close() {
        worker.close();
    }
}
