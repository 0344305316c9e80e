// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DueTime;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.internal.store.NewPayload;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.TaskLimits;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Checks and encodes what the template's calls would. */
final class StoreChanges implements TaskChanges {

    private final QueueCatalog queues;
    private final TaskLimits limits;
    private final TaskEncoder encoder;
    private final ChangeSender sender;

    StoreChanges(QueueCatalog queues, TaskLimits limits, TaskEncoder encoder, ChangeSender sender) {
        this.queues = queues;
        this.limits = limits;
        this.encoder = encoder;
        this.sender = sender;
    }

    @Override
    public TaskChange.Schedule schedule(ScheduleRequest request) {
        return new TaskChange.Schedule(request.queue(), encoder.encode(request, queues.get(request.queue())));
    }

    @Override
    public TaskChange.Cancel cancel(String queue, String id) {
        int replicas = queues.get(queue).replicas();
        return new TaskChange.Cancel(queue, limits.checkId(queue, id), replicas);
    }

    @Override
    public TaskChange.Reschedule reschedule(String queue, String id, DueTime due) {
        int replicas = queues.get(queue).replicas();
        return new TaskChange.Reschedule(queue, limits.checkId(queue, id), due, replicas);
    }

    @Override
    public TaskChange.Update update(String queue, String id, Object payload) {
        QueueSettings settings = queues.get(queue);
        NewPayload encoded = encoder.encodeNew(payload, limits.checkId(queue, id), settings);
        return new TaskChange.Update(queue, id, encoded, settings.replicas());
    }

    @Override
    public List<ChangeResult> carryOut(List<? extends TaskChange<?>> changes, BooleanSupplier goesOn) {
        return sender.send(changes, goesOn);
    }
}
