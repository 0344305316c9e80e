// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.EncodedPayload;
import io.delayqueue.HistoryEntry;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.admin.WaitingKey;
import io.delayqueue.control.AuditListener;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.Caller;
import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.engine.NotedSettings;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.internal.store.QueueNoteStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The API behind the actuator endpoint and the console: reads queues on behalf of a caller, and provides {@link
 * #changes} and {@link #bulk} operations. The {@link QueueAccessResolver} decides what each caller may do. {@link
 * AuditListener}s are notified of each change after it was made, was refused or failed.
 *
 * <p>Thread-safe. Calls block and throw like those of {@link DelayQueueAdmin} and {@link DelayQueueOperations}, and
 * throw {@link AccessRefusedException} without the required permission.
 */
public final class QueueControl implements AutoCloseable {

    private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

    /** Number of time-outs after which a call for all queues skips the remaining queues. */
    private static final int MOST_TIMEOUTS = 2;

    private final DelayQueueAdmin admin;
    private final DelayQueueOperations tasks;
    private final Permissions permissions;
    private final ShownPayloads payloads;
    private final StoredAudit activity;
    private final QueueChanges changes;
    private final TaskPages pages;
    private final TaskStore store;
    private final BoundedWait wait;
    private final BulkControl bulk;
    private final DueTimes dueTimes;
    private final Supplier<Map<String, String>> problems;
    private final Scans scans = new Scans();
    private final Searches searches;
    private final @Nullable Instances instances;

    /**
     * Creates an instance.
     *
     * @param payloads formatter for payloads; null to hide all payloads
     * @param store store for the data that all processes share
     * @param outboxes outboxes from which an erasure deletes rows
     * @param problems problems that concern several processes, by queue
     * @param instances the processes that deliver queues; null to show none
     */
    public QueueControl(
            DelayQueueAdmin admin,
            DelayQueueOperations tasks,
            QueueAccessResolver access,
            @Nullable PayloadFormatter payloads,
            List<AuditListener> audit,
            TaskStore store,
            Supplier<List<PendingChanges>> outboxes,
            Supplier<Map<String, String>> problems,
            @Nullable Instances instances) {
        this.problems = problems;
        this.instances = instances;
        this.admin = admin;
        this.tasks = tasks;
        this.permissions = new Permissions(admin, access);
        this.payloads = new ShownPayloads(payloads);
        this.activity = new StoredAudit(store);
        List<AuditListener> listeners = new ArrayList<>(audit);
        listeners.add(activity);
        AuditTrail trail = new AuditTrail(permissions, listeners);
        this.pages = new TaskPages(admin);
        this.store = store;
        this.wait = new BoundedWait(store.callTimeout());
        this.dueTimes = new DueTimes(store, wait);
        this.changes = new QueueChanges(admin, tasks, trail, scans, pages, (queue, id) -> details(queue, id, false));
        this.bulk = new BulkControl(
                admin, tasks, permissions, trail, pages, store, new ShiftWindows(admin, dueTimes), outboxes);
        this.searches = new Searches(bulk.threads(), (queues, text) -> new TaskSearch(admin, pages, queues, text));
    }

    /**
     * Returns all configured queues that the caller may read. Costs one script call per shard.
     *
     * @throws TaskStoreException if Redis does not answer for any queue
     */
    public QueueResults<QueueView> queues(Caller caller) {
        return ofReadable(caller, queue -> Optional.of(queue(caller, queue)));
    }

    /**
     * Returns the problems between processes by queue: different settings, or tasks that no live process delivers.
     * Includes queues that are not configured here, if the caller may read them.
     */
    public Map<String, String> problems(Caller caller) {
        Map<String, String> readable = new TreeMap<>(problems.get());
        readable.keySet().removeIf(queue -> !permissions.mayReadNoted(caller, queue));
        return readable;
    }

    /**
     * Reads all queues that the caller may read. If a server of a cluster does not answer, queues on the other servers
     * are still read.
     *
     * @throws TaskStoreException if Redis does not answer for any queue
     */
    public <T> QueueResults<T> ofReadable(Caller caller, Function<String, Optional<T>> read) {
        List<T> found = new ArrayList<>();
        Map<String, String> unreadable = new LinkedHashMap<>();
        List<TaskStoreException> failures = new ArrayList<>();
        int timeouts = 0;
        boolean anyRead = false;
        for (String queue : admin.queues()) {
            if (!permissions.mayRead(caller, queue)) {
                continue;
            }
            if (timeouts == MOST_TIMEOUTS) {
                unreadable.put(queue, "Skipped, because Redis did not answer in time for " + MOST_TIMEOUTS + " queues");
                continue;
            }
            try {
                read.apply(queue).ifPresent(found::add);
                anyRead = true;
            } catch (TaskStoreException ex) {
                unreadable.put(queue, String.valueOf(ex.getMessage()));
                timeouts += ex instanceof TaskStoreTimeoutException ? 1 : 0;
                if (!(ex instanceof TaskStoreCorruptException)) {
                    failures.add(ex);
                }
            }
        }
        if (!anyRead && !failures.isEmpty()) {
            throw failures.get(0);
        }
        return new QueueResults<>(List.copyOf(found), unreadable);
    }

    /** Returns the time of Redis; see {@link DelayQueueAdmin#now}. */
    public Instant now(Caller caller, String queue) {
        permissions.require(caller, queue, QueuePermission.READ);
        return admin.now(queue);
    }

    public QueueView queue(Caller caller, String queue) {
        permissions.require(caller, queue, QueuePermission.READ);
        return QueueView.of(queue, admin.stats(queue), admin.sharding(queue), permissions.of(caller, queue));
    }

    /**
     * Returns a task. Includes its payload and the stack trace of its last failure if the caller may see them. Omits
     * headers and payload if the stored task has an unknown format.
     */
    public Optional<TaskDetails> task(Caller caller, String queue, String id) {
        permissions.require(caller, queue, QueuePermission.READ);
        return details(queue, id, permissions.of(caller, queue).contains(QueuePermission.PAYLOAD));
    }

    private Optional<TaskDetails> details(String queue, String id, boolean withPayload) {
        try {
            return tasks.find(queue, id, EncodedPayload.class)
                    .map(task -> TaskDetails.of(task, payloads.of(task, withPayload), withPayload));
        } catch (PayloadConversionException ex) {
            return withoutContents(queue, id);
        }
    }

    /** Returns a task whose envelope cannot be read. */
    private Optional<TaskDetails> withoutContents(String queue, String id) {
        QueueSharding sharding = admin.sharding(queue);
        return Stream.concat(
                        IntStream.of(sharding.shards()).boxed(),
                        sharding.migratingFrom().stream().boxed())
                .map(shards -> new Shard(queue, Sharding.initial(shards).homeOf(id)))
                .flatMap(shard -> wait.answer(store.tasks().find(shard, id), shard.what("find", id)).stream())
                .findFirst()
                .map(task -> TaskDetails.ofUnreadable(queue, task));
    }

    /** Returns the tasks of this id in all queues that the caller may read. */
    public QueueResults<TaskDetails> find(Caller caller, String id) {
        return ofReadable(caller, queue -> task(caller, queue, id));
    }

    /**
     * Searches for text in the ids, keys, groups and headers of all tasks that the caller may read, in the background.
     * While it runs, later calls with the same text return the same search. It ends early if no call follows within 15
     * seconds.
     *
     * @param patience how long to wait for the end of the search
     * @throws TooManyScansException as for {@link #tasks}
     */
    public SearchView search(Caller caller, String text, Duration patience) {
        List<String> readable = admin.queues().stream()
                .filter(queue -> permissions.mayRead(caller, queue))
                .toList();
        return searches.search(caller, readable, text, patience);
    }

    /** Returns the queues with live tasks of a group, among those that the caller may read. */
    public QueueResults<GroupCount> findGroup(Caller caller, String group) {
        return ofReadable(caller, queue -> {
            long count = tasks.group(queue, group).count();
            return count == 0 ? Optional.empty() : Optional.of(new GroupCount(queue, group, count));
        });
    }

    /** Returns the history of a task, newest entry last; see {@link DelayQueueAdmin#history}. */
    public List<HistoryEntry> history(Caller caller, String queue, String id) {
        permissions.require(caller, queue, QueuePermission.READ);
        return admin.history(queue, id);
    }

    /** Returns the time since which all shards of a queue have kept history; empty if the history is empty. */
    public Optional<Instant> historySince(Caller caller, String queue) {
        return shards(caller, queue).stream()
                .map(shard -> wait.answer(store.history().page(shard, "", 1, ""), "Queue '" + queue + "', history"))
                .flatMap(page -> Stream.ofNullable(page.since()))
                .max(Comparator.naturalOrder());
    }

    /**
     * Returns a page of tasks in one state; dead tasks are sorted newest first. To find a full page, the call reads at
     * most 200,000 live tasks by id prefix, or 10,000 by other criteria. It stops after two seconds.
     *
     * @param size maximum number of tasks, 1 to 500
     * @param after the {@code next} of the previous page; null for the first
     * @throws TooManyScansException if the call needs a search, but this process is already running four searches, or
     *     two for this caller
     */
    public TaskViews tasks(
            Caller caller, String queue, TaskState state, TaskFilter filter, int size, @Nullable String after) {
        return tasks(caller, queue, state, filter, false, size, after, Duration.ZERO);
    }

    /**
     * Returns a page of a long list. Waits for capacity if necessary. After the page, pauses for as long as the page
     * took, to leave Redis time for other work.
     *
     * @param oldestFirst whether to sort dead tasks oldest first
     * @param patience how long to wait while too many searches are running
     */
    public TaskViews tasks(
            Caller caller,
            String queue,
            TaskState state,
            TaskFilter filter,
            boolean oldestFirst,
            int size,
            @Nullable String after,
            Duration patience) {
        permissions.require(caller, queue, QueuePermission.READ);
        TaskPosition from = after == null ? null : TaskPosition.parse(after);
        long begin = System.nanoTime();
        TaskPages.Page page = TaskPages.isScan(state, filter)
                ? scans.run(caller, patience, () -> pages.read(queue, state, filter, !oldestFirst, size, from))
                : pages.read(queue, state, filter, !oldestFirst, size, from);
        if (!patience.isZero()) {
            Scans.rest(begin);
        }
        TaskPosition next = page.next();
        return new TaskViews(page.tasks().stream().map(TaskView::shown).toList(), next == null ? null : next.text());
    }

    private List<Shard> shards(Caller caller, String queue) {
        permissions.require(caller, queue, QueuePermission.READ);
        return DueTimes.shards(admin, queue);
    }

    /**  Counts the live tasks by the time of their next event; see {@link DueTimes#count}. */
    public DueCounts dueCounts(Caller caller, String queue, Instant from, Duration width, int slices) {
        return dueTimes.count(shards(caller, queue), from, width, slices);
    }

    /**
     * Returns the deliveries of all processes for a queue. Costs one script call.
     *
     * @param step minutes, which are kept for a day, or hours, which are kept for 90 days
     * @param from earliest start of the first minute or hour
     * @param to end of the period, exclusive
     */
    public QueueRates rates(Caller caller, String queue, ChronoUnit step, Instant from, Instant to) {
        permissions.require(caller, queue, QueuePermission.READ);
        long days = step == ChronoUnit.HOURS ? 90 : 1;
        boolean known = !from.isBefore(Instant.EPOCH) && to.isBefore(END);
        // The last minute or hour may begin just before the end.
        if (!known
                || to.isBefore(from)
                || from.plus(Duration.ofDays(days)).plus(1, step).isBefore(to)) {
            throw new IllegalArgumentException(
                    "Rates need a start 'from' and a later end 'until'. Rates per minute are kept for a day, and rates per "
                            + "hour for 90 days. The range was " + from + " to " + to);
        }
        List<QueueRates.Period> periods = new ArrayList<>();
        wait.answer(store.rates().read(queue, step, from, to), "Queue '" + queue + "', rates")
                .forEach((start, counts) -> periods.add(QueueRates.Period.of(start, counts)));
        return new QueueRates(queue, step, periods);
    }

    /**
     * Returns the processes that deliver a queue that the caller may read. A process has figures if the caller may read
     * all its queues.
     *
     * @param elsewhere whether to include queues that only other processes configure. Without them, the figures depend
     *     only on {@link #permissions(Caller)}.
     */
    public List<InstanceView> instances(Caller caller, boolean elsewhere) {
        return instances == null
                ? List.of()
                : instances.all(queue ->
                        elsewhere ? permissions.mayReadNoted(caller, queue) : permissions.mayRead(caller, queue));
    }

    /**
     * Returns the settings of a queue in the live processes that deliver it, by the names of their properties. A
     * setting has several values if it differs between processes. Empty if no process has noted the queue yet.
     */
    public Map<String, Set<String>> settings(Caller caller, String queue) {
        permissions.require(caller, queue, QueuePermission.READ);
        return NotedSettings.of(
                queue,
                wait.answer(
                        store.queueNotes()
                                .note(ProcessName.OWN, QueueNoteStore.Kind.QUEUES, List.of(), NotedSettings.SILENCE),
                        "Notes of processes"));
    }

    /**
     * Returns the maximum number of attempts of a task; empty if no process has noted the queue yet, or if processes
     * differ.
     */
    public Optional<Long> maxAttempts(Caller caller, String queue) {
        Set<String> retries = settings(caller, queue).getOrDefault(NotedSettings.MAX_RETRIES, Set.of());
        return retries.stream()
                .filter(number -> retries.size() == 1 && number.matches("\\d{1,10}"))
                .map(number -> Long.parseLong(number) + 1)
                .findFirst();
    }

    /** Counts the tasks that are in progress or will be retried; see {@link DueTimes#kinds}. */
    public DueKinds dueKinds(Caller caller, String queue, Instant from, Duration width, int slices) {
        return dueTimes.kinds(shards(caller, queue), from, width, slices);
    }

    /** Counts dead tasks by reason: the 200 most frequent reasons among the first 10,000 tasks, shard by shard. */
    public DeadReasons deadReasons(Caller caller, String queue) {
        return deadReasons(caller, queue, null, null);
    }

    /**
     * Counts the tasks that died in a period by reason.
     *
     * @param from start of the period; null for any
     * @param until end of the period; null for any
     */
    public DeadReasons deadReasons(Caller caller, String queue, @Nullable Instant from, @Nullable Instant until) {
        permissions.require(caller, queue, QueuePermission.READ);
        TaskFilter period = TaskFilter.ALL.between(from, until);
        return scans.run(caller, Duration.ZERO, () -> new ReasonCount(pages).of(queue, period));
    }

    /**
     * Returns how many tasks match. Shards are counted one after another.
     *
     * @return the number; null if only a search could count the tasks, there are too many, tasks of the queue are held
     *     back, or too many searches are running
     */
    public @Nullable Long total(Caller caller, String queue, TaskState state, TaskFilter filter) {
        permissions.require(caller, queue, QueuePermission.READ);
        if (filter.equals(TaskFilter.ALL)) {
            QueueStats stats = admin.stats(queue);
            return switch (state) {
                case SCHEDULED -> stats.delayed() + stats.heldBack() + stats.ready();
                case LEASED -> stats.leased();
                case DEAD -> stats.dead();
            };
        }
        TaskFilter period = TaskPages.within(
                filter.retrying() ? TaskFilter.ALL.onlyRetrying() : TaskFilter.ALL, filter.from(), filter.until());
        if (state != TaskState.SCHEDULED || !filter.equals(period)) {
            return null;
        }
        List<Shard> shards = shards(caller, queue);
        try {
            return scans.run(
                            caller,
                            Duration.ZERO,
                            () -> admin.stats(queue).heldBack() > 0
                                    ? Optional.<Long>empty()
                                    : Optional.ofNullable(dueTimes.scheduled(shards, filter)))
                    .orElse(null);
        } catch (TooManyScansException ex) {
            return null;
        }
    }

    /** Returns the keys with the most held-back tasks. See {@link DelayQueueAdmin#waitingKeys}. */
    public List<KeyView> waitingKeys(Caller caller, String queue) {
        permissions.require(caller, queue, QueuePermission.READ);
        return admin.waitingKeys(queue).stream()
                .map(waiting -> view(queue, waiting.key(), waiting))
                .toList();
    }

    public KeyView key(Caller caller, String queue, String key) {
        permissions.require(caller, queue, QueuePermission.READ);
        return view(queue, key, admin.waitingKey(queue, key).orElse(null));
    }

    private KeyView view(String queue, String key, @Nullable WaitingKey waiting) {
        KeyLimits limits = admin.keyLimits(queue, key);
        return new KeyView(
                queue,
                key,
                limits.interval().orElse(null),
                orNull(limits.burst()),
                orNull(limits.concurrency()),
                admin.keyClosedUntil(queue, key).orElse(null),
                waiting == null ? 0 : waiting.waiting(),
                waiting == null ? null : waiting.nextTurn());
    }

    private static @Nullable Integer orNull(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }

    /**
     * Returns the changes of all processes to the queues that the caller may read, newest first. Redis keeps the last
     * 10,000 changes of all queues.
     *
     * @param queue null for all queues
     * @param size maximum number of changes, 1 to 500
     * @param after the {@code next} of the previous page; null for the first
     */
    public AuditPage activity(Caller caller, @Nullable String queue, int size, @Nullable String after) {
        Map<String, Boolean> readable = new HashMap<>();
        return activity.page(
                entry -> (queue == null || entry.queue().equals(queue))
                        && readable.computeIfAbsent(entry.queue(), name -> permissions.mayReadNoted(caller, name)),
                size,
                after);
    }

    public QueueChanges changes() {
        return changes;
    }

    public BulkControl bulk() {
        return bulk;
    }

    /** Returns the bulk operations for the application's own code, which needs no permission. */
    public BulkOperations operations() {
        return new ApplicationOperations(bulk);
    }

    /** Returns the caller's permissions for each configured queue, without reading from Redis. */
    public Map<String, Set<QueuePermission>> permissions(Caller caller) {
        Map<String, Set<QueuePermission>> of = new LinkedHashMap<>();
        admin.queues().forEach(queue -> of.put(queue, Set.copyOf(permissions.of(caller, queue))));
        return of;
    }

    public Set<QueuePermission> permissions(Caller caller, String queue) {
        return permissions.of(caller, queue);
    }

    /** Stops the operations of this process. Blocks for at most five seconds. */
    @Override
    public void close() {
        searches.close();
        bulk.close();
    }
}
