// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Optional;

/**
 * One task of a group or a key, named by its own id: {@code queue.group("appointment-9").task("reminder").cancel()}.
 * A lightweight, immutable, thread-safe handle. Each method does the same as the {@link DelayQueueOperations} method
 * with its name.
 */
public interface TaskHandle {

    /** Returns the whole id, which includes the key and the group. */
    String id();

    /** Cancels the task. */
    CancelOutcome cancel();

    /** Changes its due time. */
    RescheduleOutcome reschedule(Due due);

    /** Replaces its payload while it waits. */
    UpdateOutcome updatePayload(Object payload);

    /** Returns the task, or empty if it does not exist. */
    <T> Optional<FoundTask<T>> find(Class<T> payloadType);
}
