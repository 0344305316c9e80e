// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.BulkAction;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.TaskFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Operations that do not check permissions. */
record ApplicationOperations(BulkControl bulk) implements BulkOperations {

    @Override
    public OperationView redrive(String queue, TaskFilter filter, int perSecond) {
        return start(new BulkRequest(queue, BulkAction.REDRIVE, filter, perSecond, false));
    }

    @Override
    public OperationView discard(String queue, TaskFilter filter) {
        return start(new BulkRequest(queue, BulkAction.DISCARD, filter, null, false));
    }

    @Override
    public OperationView erase(String queue, TaskFilter filter) {
        return start(new BulkRequest(queue, BulkAction.ERASE, filter, null, false));
    }

    @Override
    public OperationView cancel(String queue, TaskFilter filter) {
        return start(new BulkRequest(queue, BulkAction.CANCEL, filter, null, false));
    }

    @Override
    public OperationView reschedule(String queue, TaskFilter filter, Instant dueAt) {
        return spread(queue, filter, dueAt, Duration.ZERO);
    }

    @Override
    public OperationView spread(String queue, TaskFilter filter, Instant from, Duration over) {
        return start(new BulkRequest(queue, BulkAction.RESCHEDULE, filter, from, over, null, null, false));
    }

    @Override
    public OperationView shift(String queue, TaskFilter filter, Duration by) {
        return start(new BulkRequest(queue, BulkAction.RESCHEDULE, filter, null, null, by, null, false));
    }

    @Override
    public OperationView deliver(String queue, TaskFilter filter, int perSecond) {
        return start(new BulkRequest(queue, BulkAction.DELIVER, filter, perSecond, false));
    }

    private OperationView start(BulkRequest request) {
        return bulk.start(Permissions.APPLICATION, request);
    }

    @Override
    public List<OperationView> all() {
        return bulk.all(Permissions.APPLICATION);
    }

    @Override
    public Optional<OperationView> find(String handle) {
        return bulk.find(Permissions.APPLICATION, handle);
    }

    @Override
    public Optional<OperationView> stop(String handle) {
        return bulk.stop(Permissions.APPLICATION, handle);
    }

    @Override
    public Optional<OperationView> resume(String handle) {
        return bulk.resume(Permissions.APPLICATION, handle);
    }
}
