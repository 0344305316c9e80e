// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Optional;

/**
 * One task of a group or a key, named by its own id: {@code queue.group("appointment-9").task("reminder").cancel()}.
 * Cheap to make, immutable, safe for use by many threads. Each method does the same as the {@link DelayQueueOperations}
 * method with its name.
 */
public interface TaskHandle {

    /** Returns the whole id, which includes the key and the group. */
    String id();

    CancelOutcome cancel();

    RescheduleOutcome reschedule(Due due);

    UpdateOutcome updatePayload(Object payload);

    <T> Optional<FoundTask<T>> find(Class<T> payloadType);
}
