// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskHandle;
import io.delayqueue.UpdateOutcome;
import java.util.Optional;

/**
 * One task of a group or a key.
 *
 * @param id the whole id
 */
record TaskView(DelayQueueOperations operations, String queue, String id) implements TaskHandle {

    @Override
    public CancelOutcome cancel() {
        return operations.cancel(queue, id);
    }

    @Override
    public RescheduleOutcome reschedule(Due due) {
        return operations.reschedule(queue, id, due);
    }

    @Override
    public UpdateOutcome updatePayload(Object payload) {
        return operations.updatePayload(queue, id, payload);
    }

    @Override
    public <T> Optional<FoundTask<T>> find(Class<T> payloadType) {
        return operations.find(queue, id, payloadType);
    }
}
