// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Creates and makes changes for an application, regardless of transactions. Thread-safe. */
public interface TaskChanges {

    /** Maximum number of tasks that a shard stores in one call. */
    int TASKS_OF_A_CALL = 128;

    /** Maximum size of several tasks that a shard stores in one call. */
    int BYTES_OF_A_CALL = 1 << 20;

    /**
     * Validates the request and encodes its payload.
     *
     * @throws io.delayqueue.DelayQueueException if anything is invalid, as for the template's call
     */
    TaskChange.Schedule schedule(ScheduleRequest<?> request);

    /** Validates the names. */
    TaskChange.Cancel cancel(String queue, String id);

    /** Validates the names. */
    TaskChange.Reschedule reschedule(String queue, String id, Due due);

    /**
     * Validates the names and headers, and encodes the payload.
     *
     * @param payload the new payload; {@code null} to keep the stored one
     */
    TaskChange.Update update(String queue, String id, @Nullable Object payload, Map<String, String> headers);

    /**
     * Makes changes and waits for the replies. The changes of one task are made in order, other changes concurrently.
     * Each change is atomic, but all changes together are not. If a server answers no call of a run, later calls to it
     * are not made.
     *
     * @return one result per change, in order; never throws because only some changes failed
     */
    default List<ChangeResult> carryOut(List<? extends TaskChange<?>> changes) {
        return carryOut(changes, () -> true);
    }

    /**
     * Makes changes within a time limit.
     *
     * @param goesOn checked before each part; once it returns {@code false}, the remaining changes are not made and
     *     their results have an error
     */
    List<ChangeResult> carryOut(List<? extends TaskChange<?>> changes, BooleanSupplier goesOn);

    /** Returns the Redis server of a change's task or group, as far as this process knows. Does not block. */
    String serverOf(TaskChange<?> change);
}
