// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Makes changes of what an application asks for, and carries them out. Safe for use by many threads; whether there is a
 * transaction does not matter to any method.
 */
public interface TaskChanges {

    /**
     * Checks the request and encodes its payload.
     *
     * @throws io.delayqueue.DelayQueueException as the template's call would, if anything is wrong with it
     */
    TaskChange.Schedule schedule(ScheduleRequest<?> request);

    /** Checks the names. */
    TaskChange.Cancel cancel(String queue, String id);

    /** Checks the names. */
    TaskChange.Reschedule reschedule(String queue, String id, Due due);

    /** Checks the names and encodes the payload. */
    TaskChange.Update update(String queue, String id, Object payload);

    /**
     * Carries out changes and waits for the answers: those of one task in their order, others several at a time. Each is atomic,
     * the whole is not. Where none of some calls is answered, those after them are not made.
     *
     * @return one for each change, in their order; throws nothing that concerns only some of them
     */
    default List<ChangeResult> carryOut(List<? extends TaskChange<?>> changes) {
        return carryOut(changes, () -> true);
    }

    /**
     * The same within a time.
     *
     * @param goesOn asked before each part; once it says no, what is left is not made, and its error says so
     */
    List<ChangeResult> carryOut(List<? extends TaskChange<?>> changes, BooleanSupplier goesOn);
}
