// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.Caller;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.admin.PacedDueTimes;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.control.AuditTrail.Change;
import io.delayqueue.internal.control.AuditTrail.Outcome;
import io.delayqueue.internal.control.SharedOperations.Noted;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.store.PendingChanges;
import io.delayqueue.internal.store.TaskStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Operations on all tasks of a queue that match a filter. An operation runs on a thread of the process that started it.
 * It stores its progress in Redis, so any process can show, stop and resume it. A process runs up to eight changes and
 * four dry runs concurrently, with up to two dry runs per caller. Redis keeps the last hundred changes and the last
 * hundred dry runs for a day. Thread-safe.
 */
public final class BulkControl {

    private static final int MOST_CHANGES = 8;
    private static final int MOST_DRY_RUNS = 4;
    /** Maximum number of dry runs per caller, so that callers who may only read do not block the dry runs of others. */
    private static final int MOST_DRY_RUNS_OF_ONE = 2;

    private static final int LONGEST_NAME = 80;
    private static final int MOST_WAITS = 8;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final long WAIT_STEP = Duration.ofMillis(200).toNanos();

    private final DelayQueueAdmin admin;
    private final DelayQueueOperations tasks;
    private final Permissions permissions;
    private final AuditTrail audit;
    private final TaskPages pages;
    private final PacedDueTimes dueTimes;
    private final ShiftWindows windows;
    private final SharedOperations shared;
    private final Erasure erasure;
    private final Semaphore waits = new Semaphore(MOST_WAITS);
    private final Set<BulkOperation> running = new LinkedHashSet<>();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            NamedThreads.bareDaemons("delayqueue-control-"));

    BulkControl(
            DelayQueueAdmin admin,
            DelayQueueOperations tasks,
            Permissions permissions,
            AuditTrail audit,
            TaskPages pages,
            TaskStore store,
            ShiftWindows windows,
            Supplier<List<PendingChanges>> outboxes) {
        this.admin = admin;
        this.tasks = tasks;
        this.permissions = permissions;
        this.audit = audit;
        this.pages = pages;
        this.dueTimes = new PacedDueTimes(store);
        this.windows = windows;
        this.shared = new SharedOperations(store);
        this.erasure = new Erasure(store, outboxes);
    }

    /**
     * Starts an operation on all tasks that match a filter. The operation reads pages of up to 500 tasks and changes
     * each page. It also changes a task that was modified in the meantime, if the task's state allows it. If the
     * process dies, any other process can {@linkplain #resume resume} the operation without repeating completed
     * changes. A redrive or discard skips tasks that die after the start.
     *
     * <p>A dry run only counts tasks. It requires only the permission to read.
     *
     * @throws TooManyOperationsException if this process is running its maximum number of operations
     */
    public OperationView start(Caller caller, BulkRequest request) {
        return start(caller, request, UUID.randomUUID().toString());
    }

    /** Starts an operation, or returns the existing operation with this handle. */
    private OperationView start(Caller caller, BulkRequest request, String handle) {
        Instant begin = Instant.ofEpochMilli(System.currentTimeMillis());
        BulkOperation operation = operation(OperationRecord.of(handle, request, caller.name(), begin));
        boolean started;
        if (request.dryRun()) {
            permissions.require(caller, request.queue(), QueuePermission.READ);
            started = claim(operation, "");
        } else {
            started = audit.make(
                    change(caller, request),
                    () -> claim(operation, ""),
                    claimed -> new Outcome((claimed ? "started " : "started before: ") + handle, 0));
        }
        return started
                ? run(operation)
                : noted(handle).map(found -> found.record().view()).orElseGet(operation.record()::view);
    }

    private BulkOperation operation(OperationRecord from) {
        long before = from.progress().counts().done();
        return new BulkOperation(
                from,
                pages,
                windows,
                new BulkChange(admin, tasks, dueTimes, from.request()),
                erasure,
                shared,
                operation -> ended(operation, before));
    }

    /**
     * Reserves capacity for an operation in this process and records in Redis that this process runs it.
     *
     * @param seen version of the stored operation that this run continues; empty for a new operation
     * @return {@code false} if another process is running the operation or has run it since that version
     */
    private boolean claim(BulkOperation operation, String seen) {
        synchronized (running) {
            requireRoom(operation.record());
            running.add(operation);
        }
        boolean claimed = false;
        try {
            claimed = shared.claim(operation, seen);
        } finally {
            if (!claimed) {
                forget(operation);
            }
        }
        return claimed;
    }

    private void requireRoom(OperationRecord next) {
        boolean dryRun = next.request().dryRun();
        List<OperationRecord> ofKind = running.stream()
                .map(BulkOperation::record)
                .filter(other -> other.request().dryRun() == dryRun)
                .toList();
        long own = ofKind.stream()
                .filter(other -> other.caller().equals(next.caller()))
                .count();
        boolean tooManyOwn = dryRun && own >= MOST_DRY_RUNS_OF_ONE;
        if (tooManyOwn || ofKind.size() >= (dryRun ? MOST_DRY_RUNS : MOST_CHANGES)) {
            String running = tooManyOwn
                    ? own + " dry runs of " + PrintableText.of(next.caller(), LONGEST_NAME)
                    : ofKind.size() + (dryRun ? " dry runs" : " operations");
            throw new TooManyOperationsException("Queue '" + next.request().queue() + "': " + running
                    + " are already running in this process, which is the limit. Wait until one ends, or stop one");
        }
    }

    private OperationView run(BulkOperation operation) {
        OperationView view = operation.record().view();
        try {
            threads.execute(operation);
            return view;
        } catch (RejectedExecutionException | OutOfMemoryError ex) {
            operation.end(Status.STOPPED, "Not run: the process is shutting down or has no free thread");
            return operation.record().view();
        }
    }

    private void forget(BulkOperation operation) {
        synchronized (running) {
            running.remove(operation);
        }
    }

    /** @param before number of tasks that earlier runs changed */
    private void ended(BulkOperation operation, long before) {
        forget(operation);
        OperationRecord ended = operation.record();
        if (!ended.request().dryRun()) {
            String error = ended.error();
            audit.write(
                    change(Caller.unknown(ended.caller()), ended.request()),
                    new Outcome(
                            ended.status() + " " + ended.handle() + (error == null ? "" : ": " + error),
                            ended.progress().counts().done() - before));
        }
    }

    /** Returns the threads for background work. {@link #close} stops them. */
    Executor threads() {
        return threads;
    }

    private static Change change(Caller caller, BulkRequest request) {
        return new Change(caller, "operation-" + request.actionText(), request.queue(), request.asText());
    }

    /** Returns the operations on queues that the caller may read, in any process, oldest first. */
    public List<OperationView> all(Caller caller) {
        return shared.all().stream()
                .map(OperationRecord::view)
                .filter(view -> permissions.mayRead(caller, view.queue()))
                .sorted(Comparator.comparing(OperationView::startedAt))
                .toList();
    }

    /** Returns the stored operation. Empty if its queue is not configured here. */
    private Optional<Noted> noted(String handle) {
        return shared.find(handle)
                .filter(found ->
                        admin.queues().contains(found.record().request().queue()));
    }

    /** Returns the stored operation. Empty if the caller may not read its queue. */
    private Optional<Noted> noted(Caller caller, String handle) {
        return noted(handle)
                .filter(found ->
                        permissions.mayRead(caller, found.record().request().queue()));
    }

    /**
     * Returns an operation. Empty if the handle is unknown, the operation ended long ago, or the caller may not read
     * its queue.
     */
    public Optional<OperationView> find(Caller caller, String handle) {
        return noted(caller, handle).map(found -> found.record().view());
    }

    /**
     * Returns an operation after waiting for its end.
     *
     * @param patience how long to wait, at most 30 seconds
     * @throws TooManyOperationsException if eight calls are already waiting in this process
     */
    public Optional<OperationView> await(Caller caller, String handle, Duration patience) {
        if (patience.isNegative() || patience.compareTo(LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("'wait' must be 0s to 30s, but is " + patience);
        }
        Optional<OperationView> found = find(caller, handle);
        if (patience.isZero() || found.filter(BulkControl::isRunning).isEmpty()) {
            return found;
        }
        if (!waits.tryAcquire()) {
            throw new TooManyOperationsException(
                    "Too many calls are waiting for operations. Call again without 'wait'");
        }
        try {
            long end = System.nanoTime() + patience.toNanos();
            while (found.filter(BulkControl::isRunning).isPresent()
                    && System.nanoTime() < end
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(WAIT_STEP);
                found = find(caller, handle);
            }
            return found;
        } finally {
            waits.release();
        }
    }

    private static boolean isRunning(OperationView operation) {
        return operation.status() == Status.RUNNING;
    }

    /**
     * Starts an operation with the request of a completed dry run. It changes the tasks that match the filter now,
     * whether or not the dry run counted them. A dry run starts a single operation: repeated calls return that
     * operation.
     *
     * @return the started operation; empty if the dry run is unknown or ended long ago
     * @throws IllegalArgumentException if the handle is not that of a completed dry run
     * @throws TooManyOperationsException as for {@link #start}
     */
    public Optional<OperationView> run(Caller caller, String handle) {
        return noted(caller, handle).map(found -> {
            BulkRequest counted = found.record().request();
            if (!counted.dryRun() || found.record().status() != Status.DONE) {
                throw new IllegalArgumentException("Only a completed dry run can be turned into an operation");
            }
            String ofTheDryRun = UUID.nameUUIDFromBytes(handle.getBytes(StandardCharsets.UTF_8))
                    .toString();
            return start(caller, counted.withoutDryRun(), ofTheDryRun);
        });
    }

    /**
     * Stops an operation before its next page, in any process. The caller who started a dry run may stop it with only
     * the permission to read. Like its start, this leaves no audit entry.
     */
    public Optional<OperationView> stop(Caller caller, String handle) {
        return noted(caller, handle).map(found -> {
            OperationRecord record = found.record();
            if (record.request().dryRun() && record.caller().equals(caller.name())) {
                shared.stop(handle);
                return latest(found);
            }
            audit.make(
                    steering(caller, "operation-stop", record),
                    // A process that has sent no heartbeat may only be slow.
                    () -> shared.stop(handle) && record.status() != Status.FAILED,
                    stopped -> new Outcome(stopped ? "done" : "not running", 0));
            return latest(found);
        });
    }

    private OperationView latest(Noted found) {
        return noted(found.record().handle()).orElse(found).record().view();
    }

    /**
     * Resumes an operation in this process if it was stopped or failed, or if its process has sent no heartbeat for 15
     * seconds. Concurrent calls resume it only once.
     *
     * @throws TooManyOperationsException as for {@link #start}
     */
    public Optional<OperationView> resume(Caller caller, String handle) {
        return noted(caller, handle).map(found -> {
            OperationRecord record = found.record();
            boolean resumable = record.status() == Status.STOPPED || record.status() == Status.FAILED;
            BulkOperation operation = operation(record.resumedBy(caller));
            boolean resumed = audit.make(
                    steering(caller, "operation-resume", record),
                    () -> resumable && claim(operation, found.version()),
                    done -> new Outcome(
                            done
                                    ? "done"
                                    : "refused: "
                                            + latest(found).status().name().toLowerCase(Locale.ROOT),
                            0));
            return resumed ? run(operation) : latest(found);
        });
    }

    private static Change steering(Caller caller, String action, OperationRecord operation) {
        return new Change(caller, action, operation.request().queue(), Map.of("handle", operation.handle()));
    }

    /** Stops running operations before their next page and waits for them briefly. */
    void close() {
        threads.shutdown();
        synchronized (running) {
            running.forEach(BulkOperation::stop);
        }
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }
}
