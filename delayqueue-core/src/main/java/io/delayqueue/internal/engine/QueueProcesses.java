// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueNames;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.NotedQueue;
import io.delayqueue.internal.store.QueueNoteStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the queues of this process in Redis once a minute, and when the process starts to deliver a queue. Warns if
 * processes have different settings for a queue, or if a queue has tasks and no live process delivers them. Reports a
 * problem only after two successive rounds have found it, so that a start or restart causes no warning. Warns at most
 * once an hour for each queue. Thread-safe.
 */
final class QueueProcesses implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(QueueProcesses.class);
    static final Duration PERIOD = Duration.ofMinutes(1);
    private static final Duration BETWEEN_WARNINGS = Duration.ofHours(1);
    private static final int MOST_AT_ONCE = 500;

    private final TaskStore store;
    private final Duration period;
    private final Duration silence;
    private final BackgroundWorker worker;
    private final String process;
    private final LowestLimits limits;
    private final Map<String, QueueDelivery> delivered = new ConcurrentHashMap<>();
    private final Map<String, Throttle> warnings = new ConcurrentHashMap<>();
    private final AtomicBoolean isAsked = new AtomicBoolean();
    private Set<String> foundBefore = Set.of();
    private volatile @Nullable Runnable exchange;
    private volatile Map<String, String> problems = Map.of();

    /**
     * @param limits receiver of the limits of other processes
     * @param process name of this process
     */
    QueueProcesses(TaskStore store, Scheduler scheduler, LowestLimits limits, Duration period, String process) {
        this.store = store;
        this.period = period;
        this.silence = period.multipliedBy(5).dividedBy(2);
        this.worker = scheduler.worker();
        this.process = process;
        this.limits = limits;
    }

    /**
     * Starts recording and comparing. Does nothing if there are no queues, so an application without queues needs no
     * Redis.
     *
     * @param expected queues to record but not to compare
     */
    void announce(String application, QueueCatalog queues, Set<String> expected) {
        if (!queues.names().isEmpty()) {
            String name = PrintableText.of(application, NotedSettings.LONGEST).replace(' ', '_');
            exchange = () -> exchange(name, queues);
            exchangeSoon();
            worker.every(period, () -> round(name, queues, expected));
        }
    }

    /** Records that this process now delivers the queue. */
    void begin(QueueDelivery delivery) {
        delivered.put(delivery.queue().name(), delivery);
        exchangeSoon();
    }

    /**
     * Reads the limits of other processes soon, if this process delivers. Its first acquires may happen before that.
     */
    private void exchangeSoon() {
        Runnable next = exchange;
        if (next != null && !delivered.isEmpty() && isAsked.compareAndSet(false, true)) {
            worker.after(Duration.ZERO, () -> {
                isAsked.set(false);
                try {
                    next.run();
                } catch (RuntimeException ex) {
                    log.debug("Could not read the limits of other processes", ex);
                }
            });
        }
    }

    /** Records the end of a delivery of a queue. */
    void end(QueueDelivery delivery) {
        // The queue may already be delivered again.
        delivered.computeIfPresent(delivery.queue().name(), (name, current) -> current == delivery ? null : current);
    }

    /** Returns the queues that this process delivers. */
    Set<String> delivered() {
        return Set.copyOf(delivered.keySet());
    }

    /** Returns the problems of queues by name. */
    Map<String, String> problems() {
        return problems;
    }

    private void round(String application, QueueCatalog queues, Set<String> expected) {
        try {
            Map<String, String> found = new TreeMap<>();
            exchange(application, queues).forEach((queue, notes) -> {
                String problem = expected.contains(queue) ? null : problem(queue, notes);
                if (problem != null) {
                    found.put(queue, problem);
                }
            });
            Map<String, String> lasting = new TreeMap<>(found);
            lasting.keySet().retainAll(foundBefore);
            foundBefore = found.keySet();
            problems = lasting;
            lasting.forEach(this::warn);
        } catch (RuntimeException ex) {
            problems = Map.of();
            foundBefore = Set.of();
            log.debug("Could not compare the queues of this process with those of others", ex);
        }
    }

    private Map<String, List<NotedQueue>> exchange(String application, QueueCatalog queues) {
        List<NotedQueue> own =
                queues.all().stream().map(queue -> note(application, queue)).toList();
        List<NotedQueue> noted = List.of();
        for (int from = 0; from < own.size(); from += MOST_AT_ONCE) {
            int to = Math.min(own.size(), from + MOST_AT_ONCE);
            Duration reading = to < own.size() ? Duration.ZERO : silence; // Only the last call reads.
            noted = StoreAnswers.await(
                    store.queueNotes().note(process, QueueNoteStore.Kind.QUEUES, own.subList(from, to), reading));
        }
        Map<String, List<NotedQueue>> byQueue = noted.stream().collect(Collectors.groupingBy(NotedQueue::queue));
        queues.all().forEach(queue -> limits.note(queue, limits(byQueue.getOrDefault(queue.name(), List.of()))));
        return byQueue;
    }

    private static List<LimitSettings> limits(List<NotedQueue> notes) {
        return notes.stream()
                .map(NotedSettings::of)
                .filter(noted -> noted != null && noted.alive() && noted.delivers())
                .map(NotedSettings::limits)
                .toList();
    }

    /**
     * Returns a note with this process's settings for deliveries of the queue. A handler may override the configured
     * settings.
     */
    private NotedQueue note(String application, QueueSettings configured) {
        String name = configured.name();
        QueueDelivery delivery = delivered.get(name);
        String settings = delivery == null
                ? NotedSettings.text(configured, application, null)
                : NotedSettings.text(delivery.queue(), application, address(delivery.destination()));
        return new NotedQueue(name, delivery != null, settings, process, true);
    }

    private static String address(TaskDestination destination) {
        return PrintableText.of(
                destination instanceof LibraryDestination library ? library.address() : destination.kind(),
                NotedSettings.LONGEST);
    }

    private @Nullable String problem(String queue, List<NotedQueue> notes) {
        List<NotedSettings> all =
                notes.stream().map(NotedSettings::of).filter(Objects::nonNull).toList();
        List<NotedSettings> alive = all.stream().filter(NotedSettings::alive).toList();
        List<NotedSettings> delivering =
                alive.stream().filter(NotedSettings::delivers).toList();
        try {
            QueueNames.check(queue);
            if (!delivering.isEmpty()) {
                return differences(alive, delivering);
            }
            return all.isEmpty() ? null : undelivered(queue, all);
        } catch (InvalidTaskException | TaskStoreCorruptException ex) {
            log.debug("Could not compare the notes of a queue", ex);
            return null;
        }
    }

    private @Nullable String undelivered(String queue, List<NotedSettings> notes) {
        String recorded = StoreAnswers.await(store.shardings().sharding(queue)).text();
        int shards = recorded.isEmpty() ? 0 : Sharding.parse(queue, recorded).span();
        for (NotedSettings noted : notes) {
            shards = Math.max(shards, noted.shards());
        }
        long tasks = 0;
        for (int shard = 0; shard < shards; shard++) {
            tasks += StoreAnswers.await(store.shards().stats(new Shard(queue, shard)))
                    .live();
        }
        if (tasks == 0) {
            return null;
        }
        String last = notes.stream()
                .filter(NotedSettings::delivers)
                .map(noted -> noted.process() + " of application " + noted.application() + " to " + noted.destination())
                .sorted()
                .collect(Collectors.joining("; "));
        return "it holds tasks (" + tasks + "), but no live process delivers it. Last delivered by: "
                + (last.isEmpty() ? "unknown" : last);
    }

    private static @Nullable String differences(List<NotedSettings> alive, List<NotedSettings> delivering) {
        List<String> differences = new ArrayList<>();
        addIfDiffer(differences, "application", delivering, NotedSettings::application);
        addIfDiffer(differences, "destination", delivering, NotedSettings::destination);
        addIfDiffer(differences, "lease", delivering, noted -> noted.leaseMillis() + " ms");
        addIfDiffer(
                differences, "limits (the lower ones apply)", delivering, noted -> NotedLimits.shown(noted.limits()));
        addIfDiffer(differences, "shards", alive, noted -> String.valueOf(noted.shards()));
        return differences.isEmpty() ? null : "its processes differ in " + String.join("; ", differences);
    }

    private static void addIfDiffer(
            List<String> differences, String what, List<NotedSettings> among, Function<NotedSettings, String> value) {
        Map<String, String> byValue = new TreeMap<>();
        among.forEach(noted -> byValue.putIfAbsent(value.apply(noted), noted.process()));
        if (byValue.size() > 1) {
            differences.add(what + ": "
                    + byValue.entrySet().stream()
                            .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
                            .collect(Collectors.joining(", ")));
        }
    }

    private void warn(String queue, String problem) {
        if (warnings.computeIfAbsent(queue, any -> new Throttle(BETWEEN_WARNINGS))
                .passes()) {
            log.warn(
                    "Queue '{}': {}. Correct the configuration, start a process that delivers the queue, or list the"
                            + " queue in delayqueue.health.expected-differences. Logged at most once an hour",
                    queue,
                    problem);
        }
    }

    @Override
    public void close() {
        worker.close();
    }
}
