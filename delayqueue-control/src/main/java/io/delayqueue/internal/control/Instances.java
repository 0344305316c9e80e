// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.SerialWorker;
import io.delayqueue.internal.engine.DeliveryCounter;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.NotedQueue;
import io.delayqueue.internal.store.QueueNoteStore;
import io.delayqueue.internal.store.TaskStore;
import java.lang.management.ManagementFactory;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notes once a minute in Redis what this process delivers, and reads the notes of all processes. */
public final class Instances implements DeliveryCounter, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Instances.class);

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final int LONGEST = 100;
    private static final int MOST_QUEUES = 200;
    private static final String UNKNOWN = "-";

    private final TaskStore store;
    private final BoundedWait wait;
    private final SerialWorker worker;
    private final String process;
    private final String version;
    private final Supplier<Collection<String>> queues;
    private final Duration period;
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private long endedBefore;
    private Instant notedAt = Instant.now();

    /**
     * @param version version of the application; empty if unknown
     * @param queues the queues that this process delivers at the moment
     */
    public Instances(TaskStore store, Scheduler scheduler, String version, Supplier<Collection<String>> queues) {
        this(store, scheduler, ProcessName.OWN, version, queues, PERIOD);
    }

    Instances(
            TaskStore store,
            Scheduler scheduler,
            String process,
            String version,
            Supplier<Collection<String>> queues,
            Duration period) {
        this.store = store;
        this.wait = new BoundedWait(store.callTimeout());
        this.worker = scheduler.worker();
        this.process = word(process);
        this.version = word(version);
        this.queues = queues;
        this.period = period;
    }

    /** Starts to note this process. */
    public void announce() {
        worker.after(FIRST, () -> turn(FIRST));
    }

    @Override
    public void begun(Delivery delivery, String destination, boolean first) {
        begun.increment();
    }

    @Override
    public void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {
        ended.increment();
    }

    /** @param delay how long to wait while this process delivers nothing, because it is still starting */
    private void turn(Duration delay) {
        boolean isNoted = note();
        Duration longer = delay.multipliedBy(2);
        Duration next = isNoted || longer.compareTo(period) > 0 ? period : longer;
        if (!worker.isClosed()) {
            worker.after(next, () -> turn(next));
        }
    }

    /** Returns whether this process delivers queues and has noted them. */
    private boolean note() {
        try {
            Collection<String> delivered = queues.get();
            if (delivered.isEmpty()) {
                return false;
            }
            notes(List.of(new NotedQueue(process, true, own(delivered), process, true)));
            return true;
        } catch (RuntimeException ex) {
            log.debug("Could not note this process", ex);
            return false;
        }
    }

    private String own(Collection<String> delivered) {
        long endedNow = ended.sum();
        Instant now = Instant.now();
        long millis = Math.max(1, Duration.between(notedAt, now).toMillis());
        long perMinute = Math.round((endedNow - endedBefore) * 60_000.0 / millis);
        endedBefore = endedNow;
        notedAt = now;
        return new Note(
                        now,
                        Instant.ofEpochMilli(
                                ManagementFactory.getRuntimeMXBean().getStartTime()),
                        version,
                        Math.max(0, begun.sum() - endedNow),
                        perMinute,
                        delivered.stream().sorted().limit(MOST_QUEUES).toList())
                .text();
    }

    private Duration silence() {
        return period.multipliedBy(5).dividedBy(2);
    }

    /** Returns the processes that have noted themselves lately, by name, with all their queues. */
    List<InstanceView> all() {
        TreeMap<String, Note> newest = new TreeMap<>();
        notes(List.of()).stream().filter(NotedQueue::alive).forEach(noted -> {
            Note note = Note.parse(noted.settings());
            if (note != null) {
                newest.merge(noted.queue(), note, Note::later);
            }
        });
        return newest.entrySet().stream()
                .map(each -> each.getValue().view(each.getKey()))
                .toList();
    }

    private List<NotedQueue> notes(List<NotedQueue> own) {
        return wait.answer(
                store.queueNotes().note(process, QueueNoteStore.Kind.INSTANCES, own, silence()), "Notes of processes");
    }

    /** Returns a text without spaces that is not empty. */
    private static String word(String text) {
        String printable = PrintableText.of(text, LONGEST).replace(' ', '_');
        return printable.isEmpty() ? UNKNOWN : printable;
    }

    @Override
    public void close() {
        worker.close();
    }

    /** @param at when the process noted this, by its clock */
    private record Note(
            Instant at, Instant since, String version, long inProgress, long perMinute, List<String> queues) {

        private static final int PARTS = 6;

        String text() {
            return at.toEpochMilli() + " " + since.toEpochMilli() + " " + version + " " + inProgress + " " + perMinute
                    + " " + String.join(",", queues);
        }

        /** Returns null for a text that this version cannot read. */
        static @Nullable Note parse(String text) {
            String[] parts = text.split(" ", PARTS);
            try {
                return parts.length < PARTS
                        ? null
                        : new Note(
                                Instant.ofEpochMilli(Long.parseLong(parts[0])),
                                Instant.ofEpochMilli(Long.parseLong(parts[1])),
                                parts[2].equals(UNKNOWN) ? "" : parts[2],
                                Long.parseLong(parts[3]),
                                Long.parseLong(parts[4]),
                                List.of(parts[5].split(",")));
            } catch (NumberFormatException | DateTimeException ex) {
                return null;
            }
        }

        Note later(Note other) {
            return Stream.of(this, other).max(Comparator.comparing(Note::at)).orElse(this);
        }

        InstanceView view(String process) {
            return new InstanceView(process, version, since, at, queues, inProgress, perMinute);
        }
    }
}
