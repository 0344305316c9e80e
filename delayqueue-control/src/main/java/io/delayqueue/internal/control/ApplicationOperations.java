// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.BulkAction;
import io.delayqueue.control.BulkOperations;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.TaskFilter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Operations without a check of permissions. */
final class ApplicationOperations implements BulkOperations {

    private final BulkControl bulk;

    ApplicationOperations(BulkControl bulk) {
        this.bulk = bulk;
    }

    @Override
    public OperationView redrive(String queue, TaskFilter filter, int perSecond) {
        return start(queue, BulkAction.REDRIVE, filter, null, perSecond);
    }

    @Override
    public OperationView discard(String queue, TaskFilter filter) {
        return start(queue, BulkAction.DISCARD, filter, null, null);
    }

    @Override
    public OperationView cancel(String queue, TaskFilter filter) {
        return start(queue, BulkAction.CANCEL, filter, null, null);
    }

    @Override
    public OperationView reschedule(String queue, TaskFilter filter, Instant dueAt) {
        return start(queue, BulkAction.RESCHEDULE, filter, dueAt, null);
    }

    @Override
    public OperationView deliver(String queue, TaskFilter filter, int perSecond) {
        return start(queue, BulkAction.DELIVER, filter, null, perSecond);
    }

    private OperationView start(
            String queue, BulkAction action, TaskFilter filter, @Nullable Instant to, @Nullable Integer perSecond) {
        return bulk.start(Permissions.APPLICATION, new BulkRequest(queue, action, filter, to, perSecond, false));
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
