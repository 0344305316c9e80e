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
import java.util.function.Supplier;

/**
 * Operations on all tasks of a queue that a filter names. They run in this process, each on a thread of its own, at a pace:
 * eight at a time and beside them four dry runs. The last hundred can be looked at, and the last hundred dry runs. Safe for use
 * by many threads.
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
     * same once more: what was done is not done again. Tasks that die after it has begun are left alone.
     *
     * <p>A dry run only counts, for which the caller needs no more than to read.
     *
     * @throws TooManyOperationsException if eight run in this process, or four where it is a dry run
     */
    public OperationView start(Caller caller, BulkRequest request) {
        BulkOperation operation = operation(caller, request);
        if (request.dryRun()) {
            permissions.require(caller, request.queue(), QueuePermission.READ);
            operations.begin(operation);
        } else {
            audit.make(
                    change(caller, request),
                    () -> operations.begin(operation),
                    begun -> new Outcome("started " + operation.handle(), 0));
        }
        operations.run(operation);
        return operation.view();
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
        return operations.find(handle).map(operation -> {
            steer(caller, "operation-stop", operation, () -> {
                operation.stop();
                return true;
            });
            return operation.view();
        });
    }

    /**
     * Lets an operation go on that was stopped or has failed.
     *
     * @throws TooManyOperationsException as {@link #start}
     */
    public Optional<OperationView> resume(Caller caller, String handle) {
        return operations.find(handle).map(operation -> {
            if (steer(caller, "operation-resume", operation, () -> operations.begin(operation))) {
                operations.run(operation);
            }
            return operation.view();
        });
    }

    private boolean steer(Caller caller, String action, BulkOperation operation, Supplier<Boolean> act) {
        Change change = new Change(caller, action, operation.request().queue(), Map.of("handle", operation.handle()));
        return audit.make(change, act, done -> new Outcome("done", 0));
    }

    void close() {
        operations.close();
    }
}
