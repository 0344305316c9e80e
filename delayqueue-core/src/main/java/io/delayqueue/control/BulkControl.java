// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.AuditTrail.Change;
import io.delayqueue.control.AuditTrail.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Operations on all tasks of a queue that a filter names. They run in this process, each on a thread of its own and eight at a
 * time, at a pace; the last hundred can be looked at. Safe for use by many threads.
 */
public final class BulkControl {

    private final DelayQueueAdmin admin;
    private final DelayQueueOperations tasks;
    private final Permissions permissions;
    private final AuditTrail audit;
    private final TaskPages pages;
    private final BulkOperations operations = new BulkOperations();

    BulkControl(
            DelayQueueAdmin admin,
            DelayQueueOperations tasks,
            Permissions permissions,
            AuditTrail audit,
            TaskPages pages) {
        this.admin = admin;
        this.tasks = tasks;
        this.permissions = permissions;
        this.audit = audit;
        this.pages = pages;
    }

    /**
     * Begins an operation on all tasks that a filter names. Each page of tasks is read and then changed, so a task that changes
     * in between is changed all the same, unless its state does not allow that. When the process ends in the middle, ask for the
     * same once more: what was done is not done again.
     *
     * <p>A dry run only counts, for which the caller needs no more than to read.
     *
     * @throws TooManyOperationsException if eight run in this process
     */
    public OperationView start(Caller caller, BulkRequest request) {
        Supplier<OperationView> start = () -> {
            BulkOperation operation = operation(caller, request);
            operations.start(operation);
            return operation.view();
        };
        if (request.dryRun()) {
            permissions.require(caller, request.queue(), QueuePermission.READ);
            return start.get();
        }
        return audit.make(change(caller, request), start, view -> new Outcome("started " + view.handle(), 0));
    }

    private BulkOperation operation(Caller caller, BulkRequest request) {
        Instant begin = Instant.ofEpochMilli(System.currentTimeMillis());
        return new BulkOperation(
                request,
                caller.name(),
                begin,
                pages,
                new BulkChange(admin, tasks, request, begin),
                view -> ended(caller, request, view));
    }

    private void ended(Caller caller, BulkRequest request, OperationView view) {
        if (!request.dryRun()) {
            String error = view.error();
            audit.write(
                    change(caller, request),
                    new Outcome(
                            view.status() + " " + view.handle() + (error == null ? "" : ": " + error), view.done()));
        }
    }

    private static Change change(Caller caller, BulkRequest request) {
        return new Change(caller, "operation-" + request.action().asText(), request.queue(), request.asText());
    }

    /** Operations of this process on queues that the caller may read, the oldest first. */
    public List<OperationView> all(Caller caller) {
        return operations.all().stream()
                .map(BulkOperation::view)
                .filter(view -> permissions.of(caller, view.queue()).contains(QueuePermission.READ))
                .toList();
    }

    /** An operation of this process; empty where another one has it, or it ended long ago. */
    public Optional<OperationView> find(Caller caller, String handle) {
        return operations.find(handle).map(operation -> {
            permissions.require(caller, operation.request().queue(), QueuePermission.READ);
            return operation.view();
        });
    }

    /** Lets an operation end before its next page. */
    public Optional<OperationView> stop(Caller caller, String handle) {
        return withOperation(caller, "operation-stop", handle, BulkOperation::stop);
    }

    /** Lets an operation go on that was stopped or has failed. */
    public Optional<OperationView> resume(Caller caller, String handle) {
        return withOperation(caller, "operation-resume", handle, operations::start);
    }

    private Optional<OperationView> withOperation(
            Caller caller, String action, String handle, Consumer<BulkOperation> act) {
        return operations.find(handle).map(operation -> {
            Change change = new Change(caller, action, operation.request().queue(), Map.of("handle", handle));
            audit.make(
                    change,
                    () -> {
                        act.accept(operation);
                        return operation;
                    },
                    done -> new Outcome("done", 0));
            return operation.view();
        });
    }

    void close() {
        operations.close();
    }
}
