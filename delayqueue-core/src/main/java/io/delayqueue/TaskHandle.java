// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A task of a group or a key, addressed by its own id: {@code queue.group("appointment-9").task("reminder").cancel()}.
 * A lightweight, immutable, thread-safe handle. The methods correspond to those of {@link DelayQueueOperations}.
 */
public final class TaskHandle {

    private final DelayQueueOperations operations;
    private final String queue;
    private final String id;

    /** Creates a handle for the task with this full id. */
    public TaskHandle(DelayQueueOperations operations, String queue, String id) {
        this.operations = operations;
        this.queue = queue;
        this.id = id;
    }

    /** Returns the full id, which includes the key and the group. */
    public String id() {
        return id;
    }

    /** Cancels the task. */
    public CancelOutcome cancel() {
        return operations.cancel(queue, id);
    }

    /** Changes its due time. */
    public RescheduleOutcome reschedule(Due due) {
        return operations.reschedule(queue, id, due);
    }

    /** Replaces its payload while it waits. */
    public UpdateOutcome updatePayload(Object payload) {
        return operations.updatePayload(queue, id, payload);
    }

    /**
     * Changes its payload, its headers or both while it waits; see {@link DelayQueueOperations#update}.
     *
     * @param payload the new payload; {@code null} to keep the payload
     * @param headers headers to set; an empty value removes the header
     */
    public UpdateOutcome update(@Nullable Object payload, Map<String, String> headers) {
        return operations.update(queue, id, payload, headers);
    }

    /** Returns the task, or empty if it does not exist. */
    public <T> Optional<FoundTask<T>> find(Class<T> payloadType) {
        return operations.find(queue, id, payloadType);
    }
}
