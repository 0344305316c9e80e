// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.AuditTrail.Change;
import io.delayqueue.control.AuditTrail.Outcome;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.SharedOperations.Noted;
import io.delayqueue.internal.admin.PacedDueTimes;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Operations on all tasks of a queue that match a filter. Each runs on a thread of the process that started it, and notes its
 * progress in Redis. So any process can show, stop and resume the operations of all. A process runs eight changes at a time, and
 * beside them four dry runs, two of one caller. The last hundred changes and the last hundred dry runs are kept for a day. Safe for
 * use by many threads.
 */
public final class BulkControl {

    private static final int MOST_CHANGES = 8;
    private static final int MOST_DRY_RUNS = 4;
    /** One caller who may only read must not keep all others from counting. */
    private static final int MOST_DRY_RUNS_OF_ONE = 2;

    private static final int LONGEST_NAME = 80;

    private final DelayQueueAdmin admin;
    private final DelayQueueOperations tasks;
    private final Permissions permissions;
    private final AuditTrail audit;
    private final TaskPages pages;
    private final PacedDueTimes dueTimes;
    private final SharedOperations shared;
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
            TaskStore store) {
        this.admin = admin;
        this.tasks = tasks;
        this.permissions = permissions;
        this.audit = audit;
        this.pages = pages;
        this.dueTimes = new PacedDueTimes(store);
        this.shared = new SharedOperations(store);
    }

    /**
     * Starts an operation on all tasks that match a filter. It reads pages of up to 500 tasks and changes each page. A task that
     * changes in between is changed nevertheless, unless its state does not allow that. If the process dies, any other process can
     * {@linkplain #resume resume} the operation: what was done is not done again. Tasks that die after it has started are left alone.
     *
     * <p>A dry run only counts, and its caller needs only the permission to read.
     *
     * @throws TooManyOperationsException if this process runs as many operations as it may
     */
    public OperationView start(Caller caller, BulkRequest request) {
        Instant begin = Instant.ofEpochMilli(System.currentTimeMillis());
        BulkOperation operation = operation(OperationRecord.of(request, caller.name(), begin));
        if (request.dryRun()) {
            permissions.require(caller, request.queue(), QueuePermission.READ);
            claim(operation, "");
        } else {
            audit.make(
                    change(caller, request),
                    () -> claim(operation, ""),
                    claimed -> new Outcome("started " + operation.record().handle(), 0));
        }
        return run(operation);
    }

    private BulkOperation operation(OperationRecord from) {
        long before = from.progress().done();
        return new BulkOperation(
                from,
                pages,
                new BulkChange(admin, tasks, dueTimes, from.request()),
                shared,
                operation -> ended(operation, before));
    }

    /**
     * Makes room for an operation in this process, and then notes in Redis that this process runs it.
     *
     * @param seen the version of the operation that it continues; empty for a new one
     * @return false if another process runs it, or has run it since
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
        String full = null;
        if (dryRun && own >= MOST_DRY_RUNS_OF_ONE) {
            full = MOST_DRY_RUNS_OF_ONE + " dry runs of " + PrintableText.of(next.caller(), LONGEST_NAME);
        } else if (ofKind.size() >= (dryRun ? MOST_DRY_RUNS : MOST_CHANGES)) {
            full = ofKind.size() + (dryRun ? " dry runs" : " operations");
        }
        if (full != null) {
            throw new TooManyOperationsException("Queue '" + next.request().queue() + "': " + full
                    + " run in this process already, which are as many as may. Wait for one or stop one");
        }
    }

    private OperationView run(BulkOperation operation) {
        OperationView view = operation.record().view();
        try {
            threads.execute(operation);
            return view;
        } catch (RejectedExecutionException | OutOfMemoryError ex) {
            operation.end(Status.STOPPED, "Not run: the process is ending, or has no thread to spare");
            return operation.record().view();
        }
    }

    private void forget(BulkOperation operation) {
        synchronized (running) {
            running.remove(operation);
        }
    }

    /** @param before how many tasks had been changed before it was started or resumed */
    private void ended(BulkOperation operation, long before) {
        forget(operation);
        OperationRecord ended = operation.record();
        if (!ended.request().dryRun()) {
            String error = ended.error();
            audit.write(
                    change(Caller.unknown(ended.caller()), ended.request()),
                    new Outcome(
                            ended.status() + " " + ended.handle() + (error == null ? "" : ": " + error),
                            ended.progress().done() - before));
        }
    }

    private static Change change(Caller caller, BulkRequest request) {
        return new Change(caller, "operation-" + request.action().asText(), request.queue(), request.asText());
    }

    /** Returns the operations on queues that the caller may read, whichever process runs them, the oldest first. */
    public List<OperationView> all(Caller caller) {
        return shared.all().stream()
                .map(OperationRecord::view)
                .filter(view -> permissions.mayRead(caller, view.queue()))
                .sorted(Comparator.comparing(OperationView::startedAt))
                .toList();
    }

    /** As it was noted last. There is none on a queue that is not configured here. */
    private Optional<Noted> noted(String handle) {
        return shared.find(handle)
                .filter(found ->
                        admin.queues().contains(found.record().request().queue()));
    }

    /** Nothing tells an operation on a queue that is hidden from the caller from one that does not exist. */
    private Optional<Noted> noted(Caller caller, String handle) {
        return noted(handle)
                .filter(found ->
                        permissions.mayRead(caller, found.record().request().queue()));
    }

    /** Returns an operation; empty if there is none of this handle, it ended long ago, or the caller may not read its queue. */
    public Optional<OperationView> find(Caller caller, String handle) {
        return noted(caller, handle).map(found -> found.record().view());
    }

    /**
     * Does what a dry run has counted: starts an operation with the same request. Tasks that match its filter by now are changed,
     * whether or not they were counted.
     *
     * @return the operation that has started; empty if there is no dry run of this handle, or it ended long ago
     * @throws IllegalArgumentException if it is no dry run, or has not counted to its end
     * @throws TooManyOperationsException as {@link #start}
     */
    public Optional<OperationView> run(Caller caller, String handle) {
        return noted(caller, handle).map(found -> {
            BulkRequest counted = found.record().request();
            if (!counted.dryRun() || found.record().status() != Status.DONE) {
                throw new IllegalArgumentException("Only what was counted, to the end, can be done by its count");
            }
            return start(caller, counted.withoutDryRun());
        });
    }

    /**
     * Ends an operation before its next page, whichever process runs it. The caller who started a dry run may stop it with only the
     * permission to read.
     */
    public Optional<OperationView> stop(Caller caller, String handle) {
        return noted(caller, handle).map(found -> {
            OperationRecord record = found.record();
            boolean own = record.request().dryRun() && record.caller().equals(caller.name());
            audit.make(
                    steering(caller, "operation-stop", record),
                    own ? QueuePermission.READ : QueuePermission.OPERATE,
                    // A process that is silent may only be slow.
                    () -> shared.stop(handle) && record.status() != Status.FAILED,
                    stopped -> new Outcome(stopped ? "done" : "not running", 0));
            return latest(found);
        });
    }

    private OperationView latest(Noted found) {
        return noted(found.record().handle()).orElse(found).record().view();
    }

    /**
     * Resumes an operation, in this process, that was stopped, has failed, or whose process has been silent for 15 seconds. If several
     * callers ask for that at the same time, it is resumed once.
     *
     * @throws TooManyOperationsException as {@link #start}
     */
    public Optional<OperationView> resume(Caller caller, String handle) {
        return noted(caller, handle).map(found -> {
            OperationRecord record = found.record();
            Resumption resumption = audit.make(
                    steering(caller, "operation-resume", record), () -> resume(caller, found), Resumption::outcome);
            BulkOperation resumed = resumption.resumed();
            return resumed == null ? resumption.view() : run(resumed);
        });
    }

    /** What came of asking that an operation is resumed: {@code resumed} is null where it is not. */
    private record Resumption(@Nullable BulkOperation resumed, OperationView view) {

        Outcome outcome() {
            String refused = "refused: " + view.status().name().toLowerCase(Locale.ROOT);
            return new Outcome(resumed == null ? refused : "done", 0);
        }
    }

    private Resumption resume(Caller caller, Noted found) {
        Status status = found.record().status();
        BulkOperation operation = operation(found.record().resumedBy(caller));
        boolean resumable = status == Status.STOPPED || status == Status.FAILED;
        return resumable && claim(operation, found.version())
                ? new Resumption(operation, operation.record().view())
                : new Resumption(null, latest(found));
    }

    private static Change steering(Caller caller, String action, OperationRecord operation) {
        return new Change(caller, action, operation.request().queue(), Map.of("handle", operation.handle()));
    }

    /** Ends those that run before their next page, and waits a little for that. */
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
