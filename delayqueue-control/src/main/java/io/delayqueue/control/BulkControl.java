// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TaskStoreException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.AuditTrail.Change;
import io.delayqueue.control.AuditTrail.Outcome;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.internal.store.TaskStore;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Operations on all tasks of a queue that a filter names. They run in the process that was asked for them, each on a thread of its
 * own, at a pace: eight at a time and beside them four dry runs, two of one caller. Any process sees, stops and resumes those of
 * all; the last hundred and the last hundred dry runs are kept, for a day. Safe for use by many threads.
 */
public final class BulkControl {

    private static final Logger log = LoggerFactory.getLogger(BulkControl.class);

    private final DelayQueueAdmin admin;
    private final DelayQueueOperations tasks;
    private final Permissions permissions;
    private final AuditTrail audit;
    private final TaskPages pages;
    private final SharedOperations shared;
    private final BulkOperations operations = new BulkOperations();

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
        this.shared = new SharedOperations(store);
    }

    /**
     * Begins an operation on all tasks that a filter names. Each page of tasks is read and then changed, so a task that changes
     * in between is changed all the same, unless its state does not allow that. When the process ends in the middle, any other one
     * {@linkplain #resume resumes} it: what was done is not done again. Tasks that die after it has begun are left alone.
     *
     * <p>A dry run only counts, for which the caller needs no more than to read.
     *
     * @throws TooManyOperationsException if eight run in this process; where it is a dry run, if four run or two of this caller
     */
    public OperationView start(Caller caller, BulkRequest request) {
        Instant begin = Instant.ofEpochMilli(System.currentTimeMillis());
        BulkOperation operation = operation(OperationRecord.of(request, caller.name(), begin));
        if (request.dryRun()) {
            permissions.require(caller, request.queue(), QueuePermission.READ);
            begin(operation, null, "");
        } else {
            audit.make(
                    change(caller, request),
                    () -> begin(operation, null, ""),
                    begun -> new Outcome("started " + operation.handle(), 0));
        }
        operations.run(operation);
        return operation.view();
    }

    private BulkOperation operation(OperationRecord from) {
        BulkRequest request = from.request();
        Caller by = Caller.unknown(from.caller());
        long before = from.view().done();
        return new BulkOperation(
                from,
                pages,
                new BulkChange(admin, tasks, request),
                shared,
                view -> ended(by, request, view, view.done() - before));
    }

    /**
     * Makes room for it here, and then sees that no other process runs it.
     *
     * @param before what was known of it here, and
     * @param seen its version, both read before the record was from which it goes on
     */
    private boolean begin(BulkOperation operation, @Nullable BulkOperation before, String seen) {
        if (!operations.begin(operation, before)) {
            return false;
        }
        boolean mine = false;
        try {
            mine = shared.claim(operation.record(), seen);
        } finally {
            if (!mine) {
                operations.forget(operation);
            }
        }
        return mine;
    }

    /** @param count how many it has changed since it was begun or resumed */
    private void ended(Caller by, BulkRequest request, OperationView view, long count) {
        if (!request.dryRun()) {
            String error = view.error();
            audit.write(
                    change(by, request),
                    new Outcome(view.status() + " " + view.handle() + (error == null ? "" : ": " + error), count));
        }
    }

    private static Change change(Caller caller, BulkRequest request) {
        return new Change(caller, "operation-" + request.action().asText(), request.queue(), request.asText());
    }

    /**
     * Operations on queues that the caller may read, whichever process runs them, the oldest first. While Redis cannot be asked those
     * of this process.
     */
    public List<OperationView> all(Caller caller) {
        Map<String, OperationView> views = new LinkedHashMap<>();
        operations.all().forEach(operation -> views.put(operation.handle(), operation.view()));
        for (OperationRecord stored : storedOrNone()) {
            if (running(stored.view().handle()).isEmpty()) {
                views.put(stored.view().handle(), stored.view());
            }
        }
        return views.values().stream()
                .filter(view -> mayRead(caller, view.queue()))
                .sorted(Comparator.comparing(OperationView::startedAt))
                .toList();
    }

    private List<OperationRecord> storedOrNone() {
        try {
            return shared.all(handle -> operations.find(handle).isPresent());
        } catch (TaskStoreException ex) {
            log.debug("The operations of other processes could not be read", ex);
            return List.of();
        }
    }

    private boolean mayRead(Caller caller, String queue) {
        return admin.queues().contains(queue) && permissions.of(caller, queue).contains(QueuePermission.READ);
    }

    /**
     * Does what a dry run has counted: begins an operation by the same request, as it is stored with the count. Tasks that fit its
     * filter by now are changed, whether or not they were counted.
     *
     * @return the operation that has begun; empty where there is no dry run of this handle, or it ended long ago
     * @throws IllegalArgumentException if it is none, or has not counted to its end
     * @throws TooManyOperationsException as {@link #start}
     */
    public Optional<OperationView> run(Caller caller, String handle) {
        return record(handle).map(found -> {
            BulkRequest counted = found.request();
            permissions.require(caller, counted.queue(), QueuePermission.READ);
            if (!counted.dryRun() || found.view().status() != Status.DONE) {
                throw new IllegalArgumentException("Only what was counted, to the end, can be done by its count");
            }
            return start(
                    caller,
                    new BulkRequest(
                            counted.queue(),
                            counted.action(),
                            counted.filter(),
                            counted.to(),
                            counted.perSecond(),
                            false));
        });
    }

    /** One that runs here. */
    private Optional<BulkOperation> running(String handle) {
        return operations.find(handle).filter(BulkOperation::isRunning);
    }

    /**
     * As it is known last: one that does not run here may have been resumed elsewhere. On a queue that is not configured here there
     * is none.
     */
    private Optional<OperationRecord> record(String handle) {
        Optional<OperationRecord> here = operations.find(handle).map(BulkOperation::record);
        if (running(handle).isPresent()) {
            return here;
        }
        try {
            return shared.find(handle, own -> here.isPresent())
                    .or(() -> here)
                    .filter(found -> admin.queues().contains(found.request().queue()));
        } catch (TaskStoreException ex) {
            if (here.isPresent()) {
                return here;
            }
            throw ex;
        }
    }

    /** An operation; empty where there is none of this handle, or it ended long ago. */
    public Optional<OperationView> find(Caller caller, String handle) {
        return record(handle).map(found -> {
            permissions.require(caller, found.request().queue(), QueuePermission.READ);
            return found.view();
        });
    }

    /**
     * Lets an operation end before its next page, whichever process runs it. To stop a dry run its caller needs no more than to
     * read.
     */
    public Optional<OperationView> stop(Caller caller, String handle) {
        return record(handle).map(found -> {
            boolean own = found.request().dryRun() && found.caller().equals(caller.name());
            audit.make(
                    steering(caller, "operation-stop", found),
                    own ? QueuePermission.READ : QueuePermission.OPERATE,
                    () -> stop(found),
                    stopped -> new Outcome(stopped ? "done" : "not running", 0));
            return record(handle).orElse(found).view();
        });
    }

    private boolean stop(OperationRecord found) {
        Optional<BulkOperation> here = running(found.view().handle());
        here.ifPresent(BulkOperation::stop);
        // One whose process has not been heard of is asked all the same: that may only be slow.
        return here.isPresent()
                || (shared.stop(found.view().handle()) && found.view().status() != Status.FAILED);
    }

    /**
     * Lets an operation go on, in this process, that was stopped, has failed, or whose process has not been heard of for 15 seconds.
     * Where several ask for that at the same time it goes on once.
     *
     * @throws TooManyOperationsException as {@link #start}
     */
    public Optional<OperationView> resume(Caller caller, String handle) {
        return record(handle).map(found -> {
            Resumption resumption = audit.make(
                    steering(caller, "operation-resume", found), () -> resume(caller, found), Resumption::outcome);
            BulkOperation begun = resumption.begun();
            if (begun == null) {
                return resumption.view();
            }
            operations.run(begun);
            return begun.view();
        });
    }

    /** What came of asking that an operation goes on: begun is null where it does not. */
    private record Resumption(@Nullable BulkOperation begun, OperationView view) {

        Outcome outcome() {
            String refused = "refused: " + view.status().name().toLowerCase(Locale.ROOT);
            return new Outcome(begun == null ? refused : "done", 0);
        }
    }

    private Resumption resume(Caller caller, OperationRecord found) {
        String handle = found.view().handle();
        // First what tells that it has changed since, and then how far it is.
        BulkOperation before = operations.find(handle).orElse(null);
        String seen = shared.version(handle);
        OperationRecord latest = record(handle).orElse(found);
        Status status = latest.view().status();
        BulkOperation operation = operation(latest.resumedBy(caller));
        boolean may = status == Status.STOPPED || status == Status.FAILED;
        return may && begin(operation, before, seen)
                ? new Resumption(operation, operation.view())
                : new Resumption(null, record(handle).orElse(latest).view());
    }

    private static Change steering(Caller caller, String action, OperationRecord operation) {
        return new Change(
                caller,
                action,
                operation.request().queue(),
                Map.of("handle", operation.view().handle()));
    }

    void close() {
        operations.close();
    }
}
